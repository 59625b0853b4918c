// GET, POST /enquiries; GET, PATCH, DELETE /enquiries/{id}.
#pragma once
#include "api/call.h"

namespace tradepost::api {

http::Response list_enquiries(Call& call);
http::Response get_enquiry(Call& call);
http::Response create_enquiry(Call& call);
http::Response change_enquiry(Call& call);
http::Response delete_enquiry(Call& call);

}  // namespace tradepost::api
