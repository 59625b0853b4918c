#include "api/health.h"

#include "http/error.h"

namespace tradepost::api {

http::Response healthz(Call&) { return http::data(R"({"status":"ok"})"); }

http::Response readyz(Call& call) {
    if (const auto fault = call.services.health.fault(); !fault.empty()) throw http::service_unavailable(fault);
    return http::data(R"({"status":"ready"})");
}

}  // namespace tradepost::api
