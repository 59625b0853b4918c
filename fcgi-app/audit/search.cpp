#include "audit/search.h"

#include "db/sql.h"

namespace tradepost::audit {

std::vector<Found> search(db::Connection& connection, const Filter& filter, int limit) {
    const auto actor = filter.user ? filter.user->to_string() : "";
    db::Sql sql(
        "SELECT a.happened_at, a.first_at, a.times, a.event, a.actor, a.address, a.request_id, a.detail, a.user_id, a.target_id, "
        "a.organisation_id, w.email, u.email, o.slug FROM (SELECT * FROM audit_log WHERE TRUE");
    if (filter.since) sql.add(" AND happened_at >= ?", {*filter.since});
    if (filter.user) sql.add(" AND (user_id = ? OR actor = ?)", {*filter.user, actor});
    if (filter.event) sql.add(" AND event = ?", {*filter.event});
    if (filter.address) sql.add(" AND address = ?", {*filter.address});
    // An actor that is no id is nobody's: UNHEX() gives NULL.
    sql.add(
        " ORDER BY happened_at DESC, id DESC LIMIT ?) a LEFT JOIN users w ON w.id = UNHEX(REPLACE(a.actor, '-', '')) "
        "LEFT JOIN users u ON u.id = a.user_id LEFT JOIN organisations o ON o.id = a.organisation_id "
        "ORDER BY a.happened_at DESC, a.id DESC",
        {limit});
    std::vector<Found> all;
    for (const auto& row : connection.query(sql))
        all.push_back({row.time(0), row.time(1), row.unsigned_integer(2), row.text(3), row.text(4), row.text(5), row.text(6),
                       row.text(7), row.opt_uuid(8), row.opt_uuid(9), row.opt_uuid(10), row.opt_text(11), row.opt_text(12),
                       row.opt_text(13)});
    return all;
}

}  // namespace tradepost::audit
