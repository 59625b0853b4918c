#include "outbox/stored.h"

#include <algorithm>

#include "db/sql.h"
#include "outbox/bundle.h"

namespace tradepost::outbox {
namespace {

constexpr int batch = 500;

// A condition and an order by the index that fits the filter.
db::Sql where(const Filter& filter) {
    db::Sql sql(" WHERE TRUE");
    if (filter.id) sql.add(" AND id = ?", {*filter.id});
    if (!filter.target.empty()) sql.add(" AND target = ?", {filter.target});
    if (!filter.state.empty()) sql.add(" AND state = ?", {filter.state});
    if (!filter.kind.empty()) sql.add(" AND kind = ?", {filter.kind});
    return sql;
}

std::int64_t count(db::Connection& connection, const char* state) {
    return connection
        .query(
            "SELECT CAST(COALESCE(SUM(COALESCE(b.parts, 1)), 0) AS SIGNED) FROM (SELECT bundle_id FROM outbox_messages FORCE "
            "INDEX "
            "(outbox_messages_state) WHERE state = ? LIMIT ?) c LEFT JOIN outbox_bundles b ON b.id = c.bundle_id",
            {state, most_counted})
        .at(0)
        .integer(0);
}

// Milliseconds since the earliest of `column`; 0 when that is to come, or there is none.
std::int64_t waited(db::Connection& connection, const std::string& column, const std::string& from) {
    const auto rows = connection.query("SELECT GREATEST(0, COALESCE(TIMESTAMPDIFF(MICROSECOND, MIN(" + column +
                                       "), UTC_TIMESTAMP(3)), 0)) FROM " + from);
    return rows.at(0).integer(0) / 1000;
}

}  // namespace

std::vector<Stored> list(db::Connection& connection, const Filter& filter, int limit) {
    db::Sql sql(
        "SELECT id, kind, target, state, organisation_id, created_at, not_before, attempts, attempted_at, status, result, "
        "payload "
        "FROM outbox_messages");
    sql.add(where(filter)).add(" ORDER BY id DESC LIMIT ?", {limit});
    std::vector<Stored> found;
    for (const auto& row : connection.query(sql))
        found.push_back({row.uuid(0), row.text(1), row.text(2), row.text(3), row.opt_uuid(4), row.time(5), row.time(6),
                         std::uint32_t(row.integer(7)), row.opt_time(8), row.opt_integer(9), row.opt_text(10), row.text(11)});
    return found;
}

std::uint64_t retry(db::Connection& connection, const Filter& filter) {
    db::Sql sql("UPDATE outbox_messages SET position = NULL, state = 'waiting', attempts = 0, not_before = UTC_TIMESTAMP(3)");
    sql.add(where(filter));
    return connection.execute(sql.text, sql.values);
}

void hurry(db::Connection& connection, const std::string& target) {
    connection.execute("UPDATE outbox_targets SET next_at = UTC_TIMESTAMP(3) WHERE target = ? AND holder IS NULL", {target});
}

std::uint64_t drop(db::Connection& connection, const Filter& filter, std::uint64_t most) {
    db::Sql sql("DELETE FROM outbox_messages");
    sql.add(where(filter)).add(" LIMIT ?", {batch});
    std::uint64_t dropped = 0;
    for (std::uint64_t count = batch; count == batch && dropped < most; dropped += count)
        count = connection.execute(sql.text, sql.values);
    return dropped;
}

std::uint64_t drop_about(db::Connection& connection, const json::Mentions& person) {
    std::uint64_t dropped = 0;
    for (std::optional<core::Uuid> last;;) {
        const auto rows = connection.query(
            "SELECT id, target, payload, COALESCE(result, '') FROM outbox_messages FORCE INDEX (PRIMARY) WHERE " +
                std::string(last ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT ?",
            {last, batch});
        if (rows.empty()) break;
        for (const auto& row : rows)
            if (person.in_text(row.text(1)) || person.in_document(row.text(2)) || person.in_text(row.text(3)))
                dropped += connection.execute("DELETE FROM outbox_messages WHERE id = ?", {row.uuid(0)});
        last = rows.back().uuid(0);
    }
    for (std::optional<core::Uuid> last;;) {
        const auto rows = connection.query("SELECT id FROM outbox_bundles FORCE INDEX (PRIMARY) WHERE " +
                                               std::string(last ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT ?",
                                           {last, batch});
        if (rows.empty()) return dropped;
        for (const auto& row : rows)
            dropped += db::in_transaction(connection, [&] {
                return filter(connection, row.uuid(0), [&](std::vector<Part> parts) {
                    std::erase_if(parts, [&](const Part& part) { return person.in_document(part.payload); });
                    return parts;
                });
            });
        last = rows.back().uuid(0);
    }
}

std::uint64_t drop_of_organisation(db::Connection& connection, const core::Uuid& organisation_id) {
    // Most tables have no index for this. So rows are found page by page without locks, and deleted by their keys.
    const auto remove = [&](const std::string& table, const std::string& key) {
        std::uint64_t removed = 0;
        for (std::optional<std::string> last;;) {
            std::optional<db::Binary> behind;
            if (last) behind = db::Binary{*last};
            const auto rows =
                connection.query("SELECT " + key + ", organisation_id FROM " + table + " FORCE INDEX (PRIMARY) WHERE " +
                                     (last ? key + " > ?" : "? IS NULL") + " ORDER BY " + key + " LIMIT ?",
                                 {behind, batch});
            if (rows.empty()) return removed;
            std::vector<db::Value> keys;
            for (const auto& row : rows)
                if (row.opt_uuid(1) == organisation_id) keys.emplace_back(db::Binary{row.text(0)});
            if (!keys.empty())
                removed += db::in_transaction(
                    connection, [&] { return connection.execute(db::delete_by_key(table, key, keys.size()), keys); });
            last = rows.back().text(0);
        }
    };
    const auto removed = remove("outbox_messages", "id");
    remove("outbox_bundles", "id");
    remove("outbox_targets", "target");
    return removed;
}

Backlog backlog(db::Connection& connection) {
    const auto unnumbered_for =
        waited(connection, "not_before", "outbox_messages FORCE INDEX (outbox_messages_position) WHERE position IS NULL");
    const auto due_for = waited(connection, "next_at", "outbox_targets");
    return {count(connection, "waiting"), count(connection, "dead"),
            std::chrono::milliseconds(std::max(unnumbered_for, due_for))};
}

std::uint64_t prune(db::Connection& connection) {
    std::uint64_t removed = 0;
    for (const auto& [state, days] : {std::pair("delivered", delivered_are_kept), std::pair("dead", dead_are_kept)})
        for (std::uint64_t count = batch; count == batch; removed += count)
            count = db::in_transaction(connection, [&] {
                return connection.execute(
                    "DELETE FROM outbox_messages WHERE state = ? AND not_before < UTC_TIMESTAMP(3) - INTERVAL ? DAY AND "
                    "(attempted_at IS NULL OR attempted_at < UTC_TIMESTAMP(3) - INTERVAL ? DAY) LIMIT ?",
                    {state, std::int64_t(days.count()), std::int64_t(days.count()), batch});
            });
    // Their rows went with a webhook, or two targets unpacked them at once on two nodes.
    for (std::size_t count = batch; count == batch;) {
        std::vector<db::Value> ids;
        for (const auto& row : connection.query(
                 "SELECT id FROM outbox_bundles b WHERE created_at < UTC_TIMESTAMP(3) - INTERVAL 1 HOUR AND NOT EXISTS (SELECT 1 "
                 "FROM outbox_messages m WHERE m.bundle_id = b.id) LIMIT ?",
                 {batch}))
            ids.emplace_back(row.uuid(0));
        count = ids.size();
        if (count > 0) connection.execute(db::delete_by_key("outbox_bundles", "id", count), ids);
    }
    return removed;
}

}  // namespace tradepost::outbox
