// The composition root and the one pipeline: every request of every worker goes through handle().
#pragma once
#include <memory>

#include "core/clock.h"
#include "core/config.h"
#include "http/request.h"
#include "http/response.h"
#include "limits/limiter.h"

namespace tradepost {

class App {
public:
    // Borrows all three. Does not connect to anything yet.
    App(const core::Config& config, const core::Clock& clock, limits::Limiter& limiter);
    ~App();

    // The answer, whatever happens: never throws. Writes the request's log line.
    http::Response handle(const http::Request& request);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace tradepost
