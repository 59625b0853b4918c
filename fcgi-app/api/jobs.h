// Routes of /jobs.
#pragma once
#include "api/call.h"

namespace tradepost::api {

http::Response list_jobs(Call& call);
http::Response get_job(Call& call);
http::Response create_job(Call& call);
http::Response change_job(Call& call);
http::Response delete_job(Call& call);

}  // namespace tradepost::api
