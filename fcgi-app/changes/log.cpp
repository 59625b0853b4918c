#include "changes/log.h"

#include "db/bulk_insert.h"
#include "db/sql.h"
#include "db/statement.h"

namespace tradepost::changes {

namespace {

const std::string columns = "position, collection, row_id, organisation_id, kind, changed_at";

Change read_change(const db::Row& row, std::size_t first) {
    const auto kind = row.text(first + 4);
    if (kind != "written" && kind != "removed") throw std::logic_error("changes.kind holds an unknown value");
    return {row.integer(first),
            row.text(first + 1),
            row.uuid(first + 2),
            row.opt_uuid(first + 3),
            kind == "written" ? Kind::written : Kind::removed,
            row.time(first + 5)};
}

// The last position, locked. Empty while somebody else has it locked.
std::optional<std::int64_t> lock_last(db::Connection& connection) {
    constexpr const char* lock = "SELECT last FROM change_positions WHERE id = 1 FOR UPDATE SKIP LOCKED";
    auto rows = connection.query(lock);
    if (rows.empty() &&
        connection.execute("INSERT INTO change_positions (id, last, pruned) SELECT 1, 0, 0 FROM DUAL WHERE NOT EXISTS "
                           "(SELECT 1 FROM change_positions p WHERE p.id = 1) ON DUPLICATE KEY UPDATE pruned = "
                           "change_positions.pruned"))
        rows = connection.query(lock);
    if (rows.empty()) return {};
    return rows[0].integer(0);
}

std::size_t number_locked(db::Connection& connection) {
    const auto last = lock_last(connection);
    if (!last) return 0;
    // A read without locks, so that writers wait for nothing: it sees what was committed, and nobody else writes these rows now. The order
    // is that of the index, by id; ORDER BY would make MariaDB sort all that wait.
    std::string ids;
    const auto rows = connection.query("SELECT id FROM changes FORCE INDEX (changes_position) WHERE position IS NULL LIMIT ?",
                                       {numbered_at_once});
    if (rows.empty()) return 0;
    for (const auto& row : rows) ids.append(ids.empty() ? "" : ", ").append(row.text(0));
    connection.execute("UPDATE changes FORCE INDEX (PRIMARY) SET position = ? + FIELD(id, " + ids + ") WHERE id IN (" + ids + ")",
                       {*last});
    connection.execute("UPDATE change_positions SET last = ? WHERE id = 1", {*last + std::int64_t(rows.size())});
    return rows.size();
}

}  // namespace

std::size_t number(db::Connection& connection) {
    if (connection.query("SELECT 1 FROM changes FORCE INDEX (changes_position) WHERE position IS NULL LIMIT 1").empty()) return 0;
    return db::in_transaction(connection, [&] { return number_locked(connection); });
}

std::vector<Change> read(db::Connection& connection, std::string_view collection, std::int64_t after, int limit) {
    // In one statement, so that nothing is pruned between its parts.
    db::Sql sql(
        "(SELECT pruned, NULL AS position, NULL AS collection, NULL AS row_id, NULL AS organisation_id, NULL AS kind, NULL AS "
        "changed_at FROM change_positions WHERE id = 1) UNION ALL (SELECT NULL, " +
        columns + " FROM changes FORCE INDEX (");
    sql.add(collection.empty() ? "changes_position" : "changes_collection").add(") WHERE position > ?", {after});
    if (!collection.empty()) sql.add(" AND collection = ?", {collection});
    sql.add(" ORDER BY position LIMIT ?)", {limit});
    std::vector<Change> changes;
    for (const auto& row : connection.query(sql)) {
        if (row.is_null(0))
            changes.push_back(read_change(row, 1));
        else if (after < row.integer(0))
            throw LogTruncated("changes after " + std::to_string(after) + " were pruned, up to " + row.text(0));
    }
    return changes;
}

std::optional<Change> find(db::Connection& connection, std::int64_t position) {
    const auto rows = connection.query("SELECT " + columns + " FROM changes WHERE position = ?", {position});
    if (rows.empty()) return {};
    return read_change(rows[0], 0);
}

std::int64_t last_position(db::Connection& connection) {
    const auto rows = connection.query("SELECT last FROM change_positions WHERE id = 1");
    return rows.empty() ? 0 : rows[0].integer(0);
}

namespace {

const std::string inserted = "changes (collection, row_id, organisation_id, kind, changed_at)";
const std::string utc_now = "UTC_TIMESTAMP(3)";

}  // namespace

std::string_view to_string(Kind kind) {
    return kind == Kind::written ? "written" : "removed";
}

void record(db::Connection& connection, std::span<const Changed> changed) {
    db::BulkInsert rows(connection, inserted);
    for (const auto& each : changed)
        rows.add(db::literal(each.collection) + ", " + db::literal(each.id) + ", " + db::literal(each.organisation_id) + ", " +
                 db::literal(to_string(each.kind)) + ", " + utc_now);
    rows.flush();
}

}  // namespace tradepost::changes
