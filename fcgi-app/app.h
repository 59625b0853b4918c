// The composition root and the one pipeline: every request of every worker goes through handle().
#pragma once
#include <memory>

#include "core/clock.h"
#include "core/config.h"
#include "http/request.h"
#include "http/response.h"
#include "limits/limiter.h"
#include "repo/shared_versions.h"

namespace tradepost::metrics {
class Metrics;
}

namespace tradepost {

class App {
public:
    // Borrows all but `pool`, the name of this worker's. Does not connect to anything yet. Without `versions` the database is
    // asked at each public read, without `metrics` nothing is counted.
    App(const core::Config& config, const core::Clock& clock, limits::Limiter& limiter, repo::SharedVersions* versions = nullptr,
        metrics::Metrics* metrics = nullptr, std::string pool = "default");
    ~App();

    // The answer, whatever happens: never throws. Writes the request's log line.
    http::Response handle(const http::Request& request);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace tradepost
