#include "resources/enquiries/figures.h"

#include <algorithm>

#include "counts/counts.h"
#include "counts/histogram.h"
#include "resources/enquiries/list.h"

namespace tradepost::enquiries {

std::optional<core::Uuid> find_oldest_unanswered(db::Connection& connection, const core::Uuid& organisation_id) {
    // The first entry of each status: together they would be sorted.
    const std::string first =
        "(SELECT id, created_at FROM enquiries FORCE INDEX (enquiries_status) WHERE organisation_id = ? AND status = ? ORDER BY "
        "created_at, id LIMIT 1)";
    const auto rows =
        connection.query("SELECT f.id FROM (" + first + " UNION ALL " + first + ") f ORDER BY f.created_at, f.id LIMIT 1",
                         {organisation_id, "NEW", organisation_id, "READ"});
    if (rows.empty()) return {};
    return rows[0].uuid(0);
}

std::vector<std::int64_t> sent_before(db::Connection& connection, const core::Uuid& organisation_id,
                                      std::span<const core::Time> times) {
    const auto& list = received_list();
    const auto& histogram = list.counts.by_order[0];
    const auto key = counts::key_of({{list.counts.owner, organisation_id.bytes()}});
    const auto scheme = connection.query("SELECT " + std::string(counts::complete_scheme()), {list.table}).at(0).opt_integer(0);
    const bool kept = scheme == counts::counting_scheme;
    db::Sql sql("SELECT ");
    for (const auto& time : times) {
        if (&time != times.data()) sql.add(", ");
        const auto value = counts::counted_time(time);
        if (kept) sql.add(counts::sum_of(list.table, std::span(&key, 1), histogram.below(value))).add(" + ");
        sql.add("(SELECT COUNT(*) FROM enquiries FORCE INDEX (enquiries_list) WHERE organisation_id = ? AND created_at < ?",
                {organisation_id, time});
        // Those that share the last bucket with what was sent later.
        const auto width = histogram.shift(histogram.levels() - 1);
        if (kept) sql.add(" AND created_at >= ?", {core::Time(core::milliseconds(value >> width << width))});
        sql.add(")");
    }
    const auto row = connection.query(sql).at(0);
    std::vector<std::int64_t> counts;
    for (std::size_t i = 0; i < times.size(); ++i) counts.push_back(row.integer(i));
    return counts;
}

std::vector<std::int64_t> reply_times(db::Connection& connection, const core::Uuid& organisation_id, core::Time since) {
    std::vector<std::int64_t> times;
    for (const auto& row : connection.query("SELECT created_at, replied_at FROM enquiries FORCE INDEX (enquiries_replied) WHERE "
                                            "organisation_id = ? AND replied_at >= ? ORDER BY replied_at DESC LIMIT 1000",
                                            {organisation_id, since}))
        times.push_back(std::chrono::duration_cast<std::chrono::seconds>(row.time(1) - row.time(0)).count());
    return times;
}

std::optional<std::int64_t> median(std::vector<std::int64_t> numbers) {
    if (numbers.empty()) return {};
    const auto middle = numbers.begin() + std::ptrdiff_t((numbers.size() - 1) / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    return *middle;
}

}  // namespace tradepost::enquiries
