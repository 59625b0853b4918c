#include "api/metrics.h"

#include "http/error.h"
#include "metrics/metrics.h"

namespace tradepost::api {

http::Response get_metrics(Call& call) {
    auto text = call.services.metrics ? call.services.metrics->text() : std::nullopt;
    if (!text) throw http::service_unavailable("this worker has no metrics; its start, or a warning since, says why");
    http::Response response;
    response.body = std::move(*text);
    response.set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    return response;
}

}  // namespace tradepost::api
