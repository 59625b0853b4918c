// The metrics of an instance since the start of its host, for Prometheus. Counting takes nanoseconds and never fails.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/events.h"
#include "core/config.h"
#include "limits/admission.h"
#include "metrics/shared_metrics.h"

namespace tradepost::metrics {

struct RouteLabels {
    std::string method, route;
};

// Failed statements since the start of the process, in the order of error_kinds.
using ErrorTotals = std::array<std::uint64_t, error_kinds.size()>;

class Metrics {
public:
    // `routes` in the order of the route table. If the file at `path` cannot be used, nothing is counted; that is logged once.
    Metrics(std::string path, std::vector<RouteLabels> routes, std::string pool);

    // One request of this worker, from begin() to end(), with what it recorded in the audit log. `route` is its row in the table; empty
    // when no route matched. `database` is the time that it waited for the database.
    void begin() noexcept;
    void pause() noexcept;  // it waits, and will begin again
    void end(std::optional<std::size_t> route, int status, std::chrono::nanoseconds taken,
             std::chrono::microseconds database) noexcept;
    void rate_limited(std::string_view rate_class) noexcept;
    // The request was admitted for that cost, or refused by its caller's or its pool's share; and how long it had waited in all when it ends.
    void admitted(limits::Cost cost, limits::Admission::Refusal refusal) noexcept;
    void waited(limits::Cost cost, std::chrono::milliseconds time) noexcept;
    // A search by one of search_engines, also one that failed.
    void searched(std::string_view engine, std::chrono::nanoseconds taken) noexcept;
    // Counts the errors in `now` that came after the last call.
    void database_errors(const ErrorTotals& now) noexcept;

    // The searches of all workers by the engine: how many there were, and how many of them took longer than `limit`, one of bounds_us.
    struct Slow {
        std::uint64_t all = 0, slow = 0;
    };
    Slow slow_searches(std::string_view engine, std::chrono::microseconds limit) const noexcept;

    // When a worker of `pool` last refused a request of that cost because the pool's share was taken, in seconds since 1970; 0: never.
    std::uint64_t last_refusal(std::string_view pool, limits::Cost cost) const noexcept;

    // The metrics of all workers in Prometheus' text format 0.0.4. Empty when the file cannot be used.
    std::optional<std::string> text() const;

private:
    void reopen_if_replaced() noexcept;
    void count_audited() noexcept;

    std::string path_, pool_;
    std::vector<RouteLabels> routes_;  // and a last one for requests without a route
    std::uint64_t hash_;
    std::unique_ptr<SharedMetrics> shared_;  // empty when the file cannot be used
    ErrorTotals seen_{};
    audit::Totals audited_ = audit::totals();
    std::int64_t next_look_s_ = 0;  // by the monotonic clock
};

// Beside the rate limiter's counters. No instance has a colon in its name, so this is the counters' path of no other instance.
inline std::string metrics_path(const core::Config& config) {
    return config.counters_path() + ":metrics";
}

}  // namespace tradepost::metrics
