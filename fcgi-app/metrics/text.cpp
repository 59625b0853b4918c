#include "metrics/text.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <numeric>

namespace tradepost::metrics {
namespace {

std::uint64_t read(const Counter& counter) {
    return counter.load(std::memory_order_relaxed);
}

std::string seconds(std::uint64_t microseconds) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, double(microseconds) / 1e6, std::chars_format::fixed).ptr};
}

// The document as it grows: a family's head, then its samples.
class Text {
public:
    void family(const char* name, const char* type, const char* help) {
        name_ = name;
        out_.append("# HELP ").append(name).append(" ").append(help);
        out_.append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
    }
    // `labels` without the braces; none of ours has a character that needs escaping.
    void sample(const char* suffix, const std::string& labels, const std::string& value) {
        out_.append(name_).append(suffix);
        if (!labels.empty()) out_.append("{").append(labels).append("}");
        out_.append(" ").append(value).append("\n");
    }
    void sample(const std::string& labels, std::uint64_t value) { sample("", labels, std::to_string(value)); }
    std::string take() { return std::move(out_); }

private:
    std::string out_;
    const char* name_ = "";
};

std::string label(const char* name, const std::string& value) {
    return std::string(name) + "=\"" + value + "\"";
}

// Series of all slots, added up.
struct Sum {
    std::array<std::uint64_t, statuses.size()> by_status{};
    std::array<std::uint64_t, bounds_us.size() + 1> buckets{};
    std::uint64_t microseconds = 0, count = 0;

    void add(const Series& one) {
        for (std::size_t i = 0; i < by_status.size(); ++i) by_status[i] += read(one.by_status[i]);
        for (std::size_t i = 0; i < buckets.size(); ++i) {
            buckets[i] += read(one.buckets[i]);
            count += read(one.buckets[i]);
        }
        microseconds += read(one.microseconds);
    }
};

// The samples of a histogram.
void add_buckets(Text& text, const std::string& labels, const std::array<std::uint64_t, bounds_us.size() + 1>& buckets,
                 std::uint64_t microseconds) {
    std::uint64_t so_far = 0;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        so_far += buckets[i];
        const auto bound = i < bounds_us.size() ? seconds(bounds_us[i]) : "+Inf";
        text.sample("_bucket", labels + "," + label("le", bound), std::to_string(so_far));
    }
    text.sample("_sum", labels, seconds(microseconds));
    text.sample("_count", labels, std::to_string(so_far));
}

void add_requests(Text& text, const std::vector<std::pair<std::string, Sum>>& sums) {
    text.family("tradepost_requests_total", "counter", "Requests answered, by method, route and status.");
    for (const auto& [labels, sum] : sums)
        for (std::size_t i = 0; i < statuses.size(); ++i)
            if (sum.by_status[i] > 0)
                text.sample(labels + "," + label("status", statuses[i] ? std::to_string(statuses[i]) : "other"),
                            sum.by_status[i]);
    text.family("tradepost_request_duration_seconds", "histogram", "Time in a worker from the whole request to its answer.");
    for (const auto& [labels, sum] : sums) add_buckets(text, labels, sum.buckets, sum.microseconds);
}

void add_searches(Text& text, const SharedMetrics& shared) {
    text.family("tradepost_search_seconds", "histogram", "Time that searches waited for the engine, failed ones included.");
    for (std::size_t engine = 0; engine < search_engines.size(); ++engine) {
        std::array<std::uint64_t, bounds_us.size() + 1> buckets{};
        std::uint64_t microseconds = 0;
        for (std::size_t slot = 0; slot < slot_count; ++slot) {
            const auto& searches = shared.slot(slot).searches[engine];
            for (std::size_t i = 0; i < buckets.size(); ++i) buckets[i] += read(searches.buckets[i]);
            microseconds += read(searches.microseconds);
        }
        if (std::any_of(buckets.begin(), buckets.end(), [](auto count) { return count > 0; }))
            add_buckets(text, label("engine", search_engines[engine]), buckets, microseconds);
    }
}

// What the requests of each cost do now, were refused, and waited.
void add_costs(Text& text, const SharedMetrics& shared) {
    struct Of {
        std::uint64_t running = 0, refused_by_caller = 0, refused_by_pool = 0, microseconds = 0;
        std::array<std::uint64_t, bounds_us.size() + 1> waits{};
        std::string labels;

        // The bound below which 99 of 100 waits are; infinite when some of these were longer than all bounds.
        std::string p99() const {
            const auto all = std::accumulate(waits.begin(), waits.end(), std::uint64_t(0));
            std::uint64_t so_far = 0;
            for (std::size_t i = 0; i < bounds_us.size(); ++i)
                if ((so_far += waits[i]) * 100 >= all * 99) return seconds(all == 0 ? 0 : bounds_us[i]);
            return "+Inf";
        }
    };
    std::array<Of, limits::cost_names.size()> costs;
    for (std::size_t cost = 0; cost < costs.size(); ++cost)
        costs[cost].labels = label("cost", std::string(limits::cost_names[cost]));
    for (std::size_t i = 0; i < slot_count; ++i) {
        const auto& slot = shared.slot(i);
        if (const auto busy = read(slot.busy); busy > 0 && busy <= costs.size() && !shared.is_own(i) && shared.is_alive(i))
            ++costs[busy - 1].running;
        for (std::size_t cost = 0; cost < costs.size(); ++cost) {
            const auto& counted = slot.admitted[cost];
            costs[cost].refused_by_caller += read(counted.refused_by_caller);
            costs[cost].refused_by_pool += read(counted.refused_by_pool);
            costs[cost].microseconds += read(counted.microseconds);
            for (std::size_t bucket = 0; bucket < costs[cost].waits.size(); ++bucket)
                costs[cost].waits[bucket] += read(counted.waits[bucket]);
        }
    }
    text.family("tradepost_cost_running", "gauge", "Requests that workers serve now, without this one, by cost.");
    for (const auto& each : costs) text.sample(each.labels, each.running);
    text.family("tradepost_cost_refused_total", "counter",
                "Requests refused because the share of their caller or their pool was taken, by cost.");
    for (const auto& each : costs) {
        text.sample(each.labels + "," + label("share", "caller"), each.refused_by_caller);
        text.sample(each.labels + "," + label("share", "pool"), each.refused_by_pool);
    }
    text.family("tradepost_cost_wait_seconds", "histogram",
                "Time that requests waited for a worker and for their turn, by cost.");
    for (const auto& each : costs) add_buckets(text, each.labels, each.waits, each.microseconds);
    text.family("tradepost_cost_wait_p99_seconds", "gauge", "Bound that 99 of 100 of these waits did not exceed, by cost.");
    for (const auto& each : costs) text.sample("", each.labels, each.p99());
}

void add_workers(Text& text, const SharedMetrics& shared) {
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> pools;  // workers, of them busy
    for (std::size_t i = 0; i < slot_count; ++i) {
        if (read(shared.slot(i).starts) == 0 || !shared.is_alive(i)) continue;
        auto& [workers, busy] = pools[shared.pool(i)];
        ++workers;
        busy += !shared.is_own(i) && read(shared.slot(i).busy) > 0;
    }
    text.family("tradepost_workers", "gauge", "Running workers, by pool.");
    for (const auto& [pool, numbers] : pools) text.sample(label("pool", pool), numbers.first);
    text.family("tradepost_workers_busy", "gauge", "Workers that serve a request now, without this one, by pool.");
    for (const auto& [pool, numbers] : pools) text.sample(label("pool", pool), numbers.second);
}

}  // namespace

std::string render(const SharedMetrics& shared, const std::vector<RouteLabels>& routes) {
    std::vector<std::pair<std::string, Sum>> sums;
    for (std::size_t row = 0; row < routes.size(); ++row) {
        Sum sum;
        for (std::size_t slot = 0; slot < slot_count; ++slot)
            if (read(shared.slot(slot).starts) > 0) sum.add(shared.series(slot, row));
        if (sum.count > 0) sums.emplace_back(label("method", routes[row].method) + "," + label("route", routes[row].route), sum);
    }
    std::uint64_t starts = 0, database = 0;
    std::array<std::uint64_t, error_kinds.size()> errors{};
    std::array<std::uint64_t, limit_classes.size()> limited{};
    audit::Totals audited{};
    for (std::size_t i = 0; i < slot_count; ++i) {
        const auto& slot = shared.slot(i);
        starts += read(slot.starts);
        database += read(slot.database_microseconds);
        for (std::size_t kind = 0; kind < errors.size(); ++kind) errors[kind] += read(slot.errors[kind]);
        for (std::size_t which = 0; which < limited.size(); ++which) limited[which] += read(slot.limited[which]);
        for (std::size_t event = 0; event < audited.size(); ++event) audited[event] += read(slot.audited[event]);
    }

    Text text;
    add_requests(text, sums);
    add_searches(text, shared);
    text.family("tradepost_rate_limited_total", "counter", "Requests refused with 429 by the workers, by class of limit.");
    for (std::size_t i = 0; i < limited.size(); ++i) text.sample(label("class", limit_classes[i]), limited[i]);
    text.family("tradepost_audit_events_total", "counter", "Events that workers recorded in the audit log, by event.");
    for (std::size_t i = 0; i < audited.size(); ++i) text.sample(label("event", std::string(audit::event_names[i])), audited[i]);
    text.family("tradepost_database_errors_total", "counter", "Statements and connections that failed, by kind.");
    for (std::size_t i = 0; i < errors.size(); ++i) text.sample(label("kind", error_kinds[i]), errors[i]);
    text.family("tradepost_database_seconds_total", "counter", "Time that requests waited for the database.");
    text.sample("", "", seconds(database));
    add_costs(text, shared);
    add_workers(text, shared);
    text.family("tradepost_worker_starts_total", "counter", "Workers started.");
    text.sample("", starts);
    return text.take();
}

}  // namespace tradepost::metrics
