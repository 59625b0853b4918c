// /healthz and /readyz, for monitors and load balancers.
#pragma once
#include "api/call.h"

namespace tradepost::api {

http::Response healthz(Call& call);  // this worker answers
http::Response readyz(Call& call);   // database and schema answer as well; else 503

}  // namespace tradepost::api
