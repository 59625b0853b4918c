#include "resources/operations/metrics.h"

#include "http/error.h"
#include "metrics/metrics.h"

namespace tradepost::operations {

http::Response get_metrics(api::Call& call) {
    auto text = call.services.metrics ? call.services.metrics->text() : std::nullopt;
    if (!text) throw http::service_unavailable("this worker has no metrics; see its log for event no_metrics");
    http::Response response;
    response.body = std::move(*text);
    response.set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    return response;
}

}  // namespace tradepost::operations
