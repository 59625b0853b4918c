// The application: composition root, and the pipeline of every request.
#pragma once
#include <memory>
#include <span>

#include "core/clock.h"
#include "core/config.h"
#include "http/request.h"
#include "http/response.h"
#include "limits/admission.h"
#include "limits/limiter.h"
#include "versions/shared_versions.h"

namespace tradepost::metrics {
class Metrics;
}
namespace tradepost::api {
struct Route;
}

namespace tradepost {

class App {
public:
    // Borrows everything but `pool`, the name of this worker's pool. Does not connect yet. Without `versions` each public read asks
    // the database for versions; without `metrics` nothing is counted; without `admission` every request is admitted.
    App(const core::Config& config, const core::Clock& clock, limits::Limiter& limiter,
        versions::SharedVersions* versions = nullptr, metrics::Metrics* metrics = nullptr, std::string pool = "default",
        limits::Admission* admission = nullptr);
    // The same for other routes than those of routes().
    App(const core::Config& config, const core::Clock& clock, limits::Limiter& limiter, versions::SharedVersions* versions,
        metrics::Metrics* metrics, std::string pool, limits::Admission* admission, std::span<const api::Route> table);
    App(core::Config&&, auto&&...) = delete;  // it would be gone
    ~App();

    // The response, also to a request that fails: never throws. Writes the request's log line.
    http::Response handle(const http::Request& request);

    // Writes what was added up of the requests so far, if it is time or this is the end. Call it when there is no request. Never throws.
    void settle(bool is_end) noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tradepost
