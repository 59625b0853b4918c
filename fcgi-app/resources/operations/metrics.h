// GET /metrics, for Prometheus: the only response that is not JSON. nginx permits it to this host alone.
#pragma once
#include "api/call.h"

namespace tradepost::operations {

// The metrics of all workers. 503 when this worker cannot use the file.
http::Response get_metrics(api::Call& call);

}  // namespace tradepost::operations
