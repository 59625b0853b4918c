// Routes of /jobs.
#pragma once
#include "api/call.h"

namespace tradepost::api {

http::Response list_jobs(Call& call);
http::Response get_job(Call& call);

}  // namespace tradepost::api
