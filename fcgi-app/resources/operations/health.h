// GET /healthz and GET /readyz, for monitors and load balancers.
#pragma once
#include "api/call.h"

namespace tradepost::operations {

http::Response healthz(api::Call& call);  // this worker answers
http::Response readyz(api::Call& call);   // the database answers and its schema is current; else 503

}  // namespace tradepost::operations
