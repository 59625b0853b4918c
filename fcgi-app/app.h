// The composition root and the one pipeline: every request of every worker goes through handle().
#pragma once
#include <memory>

#include "core/clock.h"
#include "core/config.h"
#include "http/request.h"
#include "http/response.h"
#include "limits/limiter.h"
#include "repo/shared_versions.h"

namespace tradepost {

class App {
public:
    // Borrows all four. Does not connect to anything yet. Without `versions` the database is asked at each public read.
    App(const core::Config& config, const core::Clock& clock, limits::Limiter& limiter, repo::SharedVersions* versions = nullptr);
    ~App();

    // The answer, whatever happens: never throws. Writes the request's log line.
    http::Response handle(const http::Request& request);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace tradepost
