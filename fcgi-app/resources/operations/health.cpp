#include "resources/operations/health.h"

#include "db/health.h"
#include "http/error.h"

namespace tradepost::operations {

http::Response healthz(api::Call&) {
    return http::data(R"({"status":"ok"})");
}

http::Response readyz(api::Call& call) {
    if (const auto fault = db::Health(call.services.connection).fault(); !fault.empty()) throw http::service_unavailable(fault);
    return http::data(R"({"status":"ready"})");
}

}  // namespace tradepost::operations
