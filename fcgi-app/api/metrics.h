// /metrics, for Prometheus: the one answer that is no JSON. The web server lets only this host ask.
#pragma once
#include "api/call.h"

namespace tradepost::api {

// All workers' figures. 503 when this worker has no part in them.
http::Response get_metrics(Call& call);

}  // namespace tradepost::api
