#include "resources/enquiries/figures.h"

#include <algorithm>

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
