#include "lists/offset_search.h"

#include <algorithm>

#include "db/sql.h"

namespace tradepost::lists {
namespace {

constexpr std::int64_t quickly_walked = 500;  // rows: less than a round trip costs

}  // namespace

std::optional<OffsetStart> find_offset(db::Connection& connection, std::string_view list, std::span<const FilterKey> filters,
                                       const Histogram& histogram, std::span<const std::uint64_t> not_shown, std::int64_t offset,
                                       bool negated) {
    std::vector<db::Value> named{list};
    for (const auto& filter : filters) named.emplace_back(db::Binary{std::string_view(filter.data(), filter.size())});
    std::optional<OffsetStart> start;
    std::int64_t skipped = 0;
    std::uint64_t first = 0, last = INT64_MAX;
    for (std::size_t level = 0; level < histogram.levels(); ++level) {
        const int shift = histogram.shift(level);
        auto values = named;
        values.insert(values.end(), {std::int64_t(histogram.measure(level)), first, last, list});
        const auto rows = connection.query(
            "SELECT bucket, CAST(SUM(n) AS SIGNED) FROM list_counts FORCE INDEX (PRIMARY) WHERE list = ? AND filter IN (" +
                db::placeholders(filters.size()) + ") AND measure = ? AND bucket BETWEEN ? AND ? AND " +
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

}  // namespace tradepost::lists
