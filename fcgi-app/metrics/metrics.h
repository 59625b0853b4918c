// What an instance has done since its host started, for Prometheus. Counting costs a worker some nanoseconds and never fails.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.h"
#include "metrics/shared_figures.h"

namespace tradepost::metrics {

struct RouteLabels {
    std::string method, route;
};

// Failures of statements since a connection was made, in the order of error_kinds.
using ErrorTotals = std::array<std::uint64_t, error_kinds.size()>;

class Metrics {
public:
    // `routes` in the order of the route table. When the file at `path` cannot be used, nothing is counted; that is logged once.
    Metrics(std::string path, std::vector<RouteLabels> routes, std::string pool);

    // One request of this worker, from begin() to end(). `route` is its row in the table; empty: none fitted. `database` is the
    // time that it waited for the database.
    void begin() noexcept;
    void end(std::optional<std::size_t> route, int status, std::chrono::nanoseconds taken,
             std::chrono::microseconds database) noexcept;
    void rate_limited(std::string_view rate_class) noexcept;
    // Counts what came to `now` since the last call.
    void database_errors(const ErrorTotals& now) noexcept;

    // Everybody's figures in Prometheus' text format 0.0.4. Empty: they are not known.
    std::optional<std::string> text() const;

private:
    void follow_file() noexcept;

    std::string path_, pool_;
    std::vector<RouteLabels> routes_;  // and one more, for what has no row
    std::uint64_t hash_;
    std::unique_ptr<SharedFigures> figures_;  // empty: not to be had
    ErrorTotals seen_{};
    std::int64_t next_look_s_ = 0;  // by the monotonic clock
};

// Beside the rate limiter's counters. A colon stands in no instance's name, so that this is nobody's counters.
inline std::string metrics_path(const core::Config& config) {
    return config.counters_path() + ":metrics";
}

}  // namespace tradepost::metrics
