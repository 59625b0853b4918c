// GET /stock/deletions and /jobs/deletions.
#pragma once
#include "api/call.h"

namespace tradepost::deletions {

http::Response list_stock_deletions(api::Call& call);
http::Response list_job_deletions(api::Call& call);

}  // namespace tradepost::deletions
