#include "counts/histogram.h"

#include <algorithm>

#include "db/sql.h"

namespace tradepost::counts {
namespace {

constexpr std::uint64_t greatest = INT64_MAX;

constexpr std::int64_t quickly_walked = 500;  // rows: less than a round trip costs

}  // namespace

void Histogram::add(Changes& changes, const Key& key, std::uint64_t value, std::int64_t n) const {
    for (std::size_t level = 0; level < levels(); ++level) changes.add({key, measure(level), value >> shift(level)}, n);
}

std::vector<Buckets> Histogram::below(std::uint64_t value) const {
    std::vector<Buckets> ranges;
    for (std::size_t level = 0; level < levels(); ++level) {
        const auto bucket = value >> shift(level);
        // Those before it that the level above has not counted.
        const auto first = level == 0 ? 0 : (value >> shift(level - 1)) << (shift(level - 1) - shift(level));
        if (bucket > first) ranges.push_back({measure(level), first, bucket - 1});
    }
    return ranges;
}

std::vector<Buckets> Histogram::above(std::uint64_t value) const {
    std::vector<Buckets> ranges;
    for (std::size_t level = 0; level < levels(); ++level) {
        const auto bucket = value >> shift(level);
        const auto last = level == 0 ? greatest : (((value >> shift(level - 1)) + 1) << (shift(level - 1) - shift(level))) - 1;
        if (bucket < last) ranges.push_back({measure(level), bucket + 1, last});
    }
    return ranges;
}

std::optional<OffsetStart> find_offset(db::Connection& connection, std::string_view table, std::span<const Key> keys,
                                       const Histogram& histogram, std::span<const std::uint64_t> not_shown, std::int64_t offset,
                                       bool negated) {
    std::vector<db::Value> named{table};
    for (const auto& key : keys) named.emplace_back(db::Binary{std::string_view(key.data(), key.size())});
    std::optional<OffsetStart> start;
    std::int64_t skipped = 0;
    std::uint64_t first = 0, last = INT64_MAX;
    for (std::size_t level = 0; level < histogram.levels(); ++level) {
        const int shift = histogram.shift(level);
        auto values = named;
        values.insert(values.end(), {std::int64_t(histogram.measure(level)), first, last, table});
        const auto rows = connection.query(
            "SELECT bucket, CAST(SUM(n) AS SIGNED) FROM list_counts FORCE INDEX (PRIMARY) WHERE list = ? AND filter IN (" +
                db::placeholders(keys.size()) + ") AND measure = ? AND bucket BETWEEN ? AND ? AND " +
                std::string(complete_scheme()) + " = " + std::to_string(counting_scheme) + " GROUP BY bucket ORDER BY bucket" +
                (negated ? "" : " DESC"),
            values);
        const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) {
            const auto shown = row.integer(1) - std::count_if(not_shown.begin(), not_shown.end(), [&](auto value) {
                                   return value >> shift == row.unsigned_integer(0);
                               });
            if (skipped + shown > offset) return true;
            skipped += shown;
            return false;
        });
        if (found == rows.end()) return {};
        const auto bucket = found->unsigned_integer(0);
        start = OffsetStart{negated ? 1 - std::int64_t(bucket << shift) : std::int64_t((bucket + 1) << shift), skipped};
        if (offset - skipped <= quickly_walked || level + 1 == histogram.levels()) break;
        const int narrower = shift - histogram.shift(level + 1);
        first = bucket << narrower;
        last = ((bucket + 1) << narrower) - 1;
    }
    return start;
}

}  // namespace tradepost::counts
