// The application: composition root, and the pipeline of every request.
#pragma once
#include <memory>
#include <span>

#include "core/clock.h"
#include "core/config.h"
#include "http/request.h"
#include "http/response.h"
#include "limits/limiter.h"
#include "limits/turns.h"
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
    // the database for versions; without `metrics` nothing is counted; without `turns` every password is hashed at once.
    App(const core::Config& config, const core::Clock& clock, limits::Limiter& limiter,
        versions::SharedVersions* versions = nullptr, metrics::Metrics* metrics = nullptr, std::string pool = "default",
        limits::Turns* turns = nullptr);
    // The same for other routes than those of routes().
    App(const core::Config& config, const core::Clock& clock, limits::Limiter& limiter, versions::SharedVersions* versions,
        metrics::Metrics* metrics, std::string pool, limits::Turns* turns, std::span<const api::Route> table);
    ~App();

    // The response, also to a request that fails: never throws. Writes the request's log line.
    http::Response handle(const http::Request& request);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tradepost
