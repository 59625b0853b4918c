#include <map>

#include "db/bulk_insert.h"
#include "db/statement.h"
#include "outbox/queue.h"

namespace tradepost::outbox {
namespace {

// The last position, locked. Empty while somebody else has it locked.
std::optional<std::int64_t> lock_last(db::Connection& connection) {
    constexpr const char* lock = "SELECT last FROM outbox_positions WHERE id = 1 FOR UPDATE SKIP LOCKED";
    auto rows = connection.query(lock);
    if (rows.empty() &&
        connection.execute("INSERT INTO outbox_positions (id, last) SELECT 1, 0 FROM DUAL WHERE NOT EXISTS (SELECT 1 "
                           "FROM outbox_positions p WHERE p.id = 1) ON DUPLICATE KEY UPDATE last = "
                           "outbox_positions.last"))
        rows = connection.query(lock);
    if (rows.empty()) return {};
    return rows[0].integer(0);
}

const std::string unnumbered =
    " FROM outbox_messages FORCE INDEX (outbox_messages_position) WHERE position IS NULL AND not_before <= UTC_TIMESTAMP(3)";

std::size_t number_locked(db::Connection& connection) {
    const auto last = lock_last(connection);
    if (!last) return 0;
    // A read without locks, so that writers wait for nothing: it sees what was committed.
    const auto rows = connection.query("SELECT id, target, organisation_id" + unnumbered + " ORDER BY not_before, id LIMIT ?",
                                       {std::int64_t(numbered_at_once)});
    if (rows.empty()) return 0;
    std::string ids;
    std::map<std::string, std::string> targets;
    for (const auto& row : rows) {
        ids.append(ids.empty() ? "" : ", ").append(db::literal(row.uuid(0)));
        targets.try_emplace(row.text(1), db::literal(row.opt_uuid(2)));
    }
    // Targets first, as those do who give a lease back. The row has to change, or Galera would see no conflict with its removal.
    db::BulkInsert upserts(connection, "outbox_targets (target, organisation_id, next_at, arrivals)", "arrivals = arrivals + 1");
    for (const auto& [target, organisation] : targets)
        upserts.add(db::literal(target) + ", " + organisation + ", UTC_TIMESTAMP(3), 1");
    upserts.flush();
    connection.execute("UPDATE outbox_messages FORCE INDEX (PRIMARY) SET position = ? + FIELD(id, " + ids + ") WHERE id IN (" +
                           ids + ") AND position IS NULL",
                       {*last});
    connection.execute("UPDATE outbox_positions SET last = ? WHERE id = 1", {*last + std::int64_t(rows.size())});
    return rows.size();
}

}  // namespace

std::size_t number(db::Connection& connection) {
    if (connection.query("SELECT 1" + unnumbered + " LIMIT 1").empty()) return 0;
    return db::in_transaction(connection, [&] { return number_locked(connection); });
}

}  // namespace tradepost::outbox
