// GET, POST /enquiries; GET, PATCH, DELETE /enquiries/{id}.
#pragma once
#include "api/call.h"

namespace tradepost::enquiries {

http::Response list_enquiries(api::Call& call);
http::Response get_enquiry(api::Call& call);
http::Response create_enquiry(api::Call& call);
http::Response change_enquiry(api::Call& call);
http::Response delete_enquiry(api::Call& call);

}  // namespace tradepost::enquiries
