#include "metrics/metrics.h"

#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/crypto.h"
#include "core/log.h"
#include "metrics/text.h"

namespace tradepost::metrics {
namespace {

using WhenMissing = core::SharedMapping::WhenMissing;

// What a program with other routes or events must not take for its own.
std::uint64_t hash(const std::vector<RouteLabels>& routes) {
    std::string all;
    for (const auto& [method, route] : routes) all.append(method).append(" ").append(route).append("\n");
    for (const auto name : audit::event_names) all.append(name).append("\n");
    std::uint64_t number = 0;
    std::memcpy(&number, core::fast_hash128(all).data(), sizeof number);
    return number;
}

}  // namespace

Metrics::Metrics(std::string path, std::vector<RouteLabels> routes, std::string pool)
    : path_(std::move(path)), pool_(std::move(pool)), routes_(std::move(routes)) {
    routes_.push_back({"-", "-"});
    hash_ = hash(routes_);
    try {
        shared_ = SharedMetrics::open(path_, routes_.size(), hash_, pool_, WhenMissing::create);
        if (!shared_) core::log::warning("no_metrics", {{"why", "more workers than " + path_ + " has room for"}});
    } catch (const std::exception& error) {
        core::log::warning("no_metrics", {{"why", error.what()}});
    }
}

// Checks once a second whether new workers would open another file. A file of another program, after an upgrade, is left alone: this
// worker counts in the old one until it ends.
void Metrics::reopen_if_replaced() noexcept {
    timespec now{};
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    if (now.tv_sec < next_look_s_) return;
    next_look_s_ = now.tv_sec + 1;
    if (!shared_ || shared_->is_current()) return;
    try {
        struct stat status {};
        const bool missing = !shared_->is_whole() || (lstat(path_.c_str(), &status) != 0 && errno == ENOENT);
        auto opened =
            SharedMetrics::open(path_, routes_.size(), hash_, pool_, missing ? WhenMissing::create : WhenMissing::leave);
        if (opened) shared_ = std::move(opened);
    } catch (const std::exception& error) {
        core::log::warning("no_metrics", {{"why", error.what()}});
        shared_.reset();
    }
}

void Metrics::begin() noexcept {
    reopen_if_replaced();
    if (shared_) shared_->own().busy.store(1, std::memory_order_relaxed);
}

void Metrics::pause() noexcept {
    if (shared_) shared_->own().busy.store(0, std::memory_order_relaxed);
}

void Metrics::end(std::optional<std::size_t> route, int status, std::chrono::nanoseconds taken,
                  std::chrono::microseconds database) noexcept {
    if (!shared_) return;
    const auto us = std::uint64_t(std::chrono::duration_cast<std::chrono::microseconds>(taken).count());
    auto& series = shared_->own_series(route.value_or(routes_.size() - 1));
    add(series.by_status[std::find(statuses.begin(), statuses.end() - 1, status) - statuses.begin()]);
    add(series.buckets[std::lower_bound(bounds_us.begin(), bounds_us.end(), us) - bounds_us.begin()]);
    add(series.microseconds, us);
    count_audited();
    auto& own = shared_->own();
    add(own.database_microseconds, std::uint64_t(database.count()));
    own.busy.store(0, std::memory_order_relaxed);
}

void Metrics::searched(std::string_view engine, std::chrono::nanoseconds taken) noexcept {
    const auto found = std::find(search_engines.begin(), search_engines.end(), engine);
    if (!shared_ || found == search_engines.end()) return;
    const auto us = std::uint64_t(std::chrono::duration_cast<std::chrono::microseconds>(taken).count());
    auto& searches = shared_->own().searches[found - search_engines.begin()];
    add(searches.buckets[std::lower_bound(bounds_us.begin(), bounds_us.end(), us) - bounds_us.begin()]);
    add(searches.microseconds, us);
}

Metrics::Slow Metrics::slow_searches(std::string_view engine, std::chrono::microseconds limit) const noexcept {
    Slow found;
    const auto which = std::find(search_engines.begin(), search_engines.end(), engine) - search_engines.begin();
    if (!shared_ || which == std::ptrdiff_t(search_engines.size())) return found;
    const auto first_slow =
        std::size_t(std::upper_bound(bounds_us.begin(), bounds_us.end(), std::uint64_t(limit.count())) - bounds_us.begin());
    const SharedMetrics& shared = *shared_;
    for (std::size_t slot = 0; slot < slot_count; ++slot)
        for (std::size_t bucket = 0; bucket <= bounds_us.size(); ++bucket) {
            const auto count = shared.slot(slot).searches[which].buckets[bucket].load(std::memory_order_relaxed);
            found.all += count;
            if (bucket >= first_slow) found.slow += count;
        }
    return found;
}

void Metrics::admitted(limits::Cost cost, limits::Admission::Refusal refusal) noexcept {
    if (!shared_) return;
    auto& own = shared_->own();
    auto& counters = own.admitted[std::size_t(cost)];
    switch (refusal) {
        case limits::Admission::Refusal::none:
            own.busy.store(std::uint64_t(cost) + 1, std::memory_order_relaxed);
            break;
        case limits::Admission::Refusal::caller:
            add(counters.refused_by_caller);
            break;
        case limits::Admission::Refusal::pool:
            add(counters.refused_by_pool);
            counters.last_refused_by_pool.store(std::uint64_t(time(nullptr)), std::memory_order_relaxed);
    }
}

void Metrics::waited(limits::Cost cost, std::chrono::milliseconds time) noexcept {
    if (!shared_) return;
    const auto us = std::uint64_t(std::chrono::microseconds(time).count());
    auto& counters = shared_->own().admitted[std::size_t(cost)];
    add(counters.waits[std::lower_bound(bounds_us.begin(), bounds_us.end(), us) - bounds_us.begin()]);
    add(counters.microseconds, us);
}

std::uint64_t Metrics::last_refusal(std::string_view pool, limits::Cost cost) const noexcept {
    std::uint64_t last = 0;
    if (!shared_) return last;
    const SharedMetrics& shared = *shared_;
    for (std::size_t slot = 0; slot < slot_count; ++slot)
        if (shared.pool(slot) == pool)
            last = std::max(last,
                            shared.slot(slot).admitted[std::size_t(cost)].last_refused_by_pool.load(std::memory_order_relaxed));
    return last;
}

void Metrics::rate_limited(std::string_view rate_class) noexcept {
    const auto found = std::find(limit_classes.begin(), limit_classes.end(), rate_class);
    if (shared_ && found != limit_classes.end()) add(shared_->own().limited[found - limit_classes.begin()]);
}

void Metrics::database_errors(const ErrorTotals& now) noexcept {
    if (now == seen_) return;
    for (std::size_t i = 0; i < now.size(); ++i)
        if (shared_) add(shared_->own().errors[i], now[i] - seen_[i]);
    seen_ = now;
}

// What the process recorded since it was last asked.
void Metrics::count_audited() noexcept {
    const auto now = audit::totals();
    if (now == audited_) return;
    for (std::size_t i = 0; i < now.size(); ++i) add(shared_->own().audited[i], now[i] - audited_[i]);
    audited_ = now;
}

std::optional<std::string> Metrics::text() const {
    if (!shared_) return {};
    return render(*shared_, routes_);
}

}  // namespace tradepost::metrics
