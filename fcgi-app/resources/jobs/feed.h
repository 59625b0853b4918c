// GET, PUT /jobs/feed: all jobs of an organisation that have a reference, in one request.
#pragma once
#include "api/call.h"

namespace tradepost::jobs {

http::Response get_jobs_feed(api::Call& call);
http::Response put_jobs_feed(api::Call& call);

}  // namespace tradepost::jobs
