#include "changes/readers.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "changes/log.h"
#include "db/sql.h"

namespace tradepost::changes {
namespace {

constexpr int batch = 500;

std::optional<std::string_view> or_null(std::string_view collection) {
    return collection.empty() ? std::nullopt : std::optional(collection);
}

// Below which position everything may go, and from which time on nothing does.
struct Bounds {
    std::int64_t position;
    core::Time time;
};

Bounds bounds(db::Connection& connection, core::Time now) {
    const auto last = last_position(connection);
    const auto rows = connection.query("SELECT MIN(position) FROM change_readers WHERE seen_at > ?", {now - reader_is_missed});
    const auto taken = rows[0].opt_integer(0);
    return {std::min(last, taken.value_or(last)), taken ? core::Time::max() : now - changes_are_kept};
}

}  // namespace

void set_reader(db::Connection& connection, std::string_view name, std::string_view collection, std::int64_t position) {
    connection.execute(
        "INSERT INTO change_readers (name, collection, position, seen_at) VALUES (?, ?, ?, UTC_TIMESTAMP(3)) ON DUPLICATE KEY "
        "UPDATE collection = VALUES(collection), position = VALUES(position), seen_at = VALUES(seen_at)",
        {name, or_null(collection), position});
}

void remove_reader(db::Connection& connection, std::string_view name) {
    connection.execute("DELETE FROM change_readers WHERE name = ?", {name});
}

bool is_seen(db::Connection& connection, std::string_view name, std::chrono::seconds within) {
    return !connection
                .query("SELECT 1 FROM change_readers WHERE name = ? AND seen_at > UTC_TIMESTAMP(3) - INTERVAL ? SECOND",
                       {name, std::int64_t(within.count())})
                .empty();
}

Backlog backlog(db::Connection& connection, std::string_view reader) {
    const auto found = connection.query("SELECT position, collection FROM change_readers WHERE name = ?", {reader});
    const auto position = found.empty() ? 0 : found[0].integer(0);
    const auto collection = found.empty() ? std::nullopt : found[0].opt_text(1);
    db::Sql of_collection(collection ? " FORCE INDEX (changes_collection) WHERE collection = ? AND"
                                     : " FORCE INDEX (changes_position) WHERE");
    if (collection) of_collection.values.emplace_back(*collection);
    // Those without a position come in the order of the index, which is that of their ids: ORDER BY would sort all of them.
    const auto numbered = [&](const char* what, std::int64_t limit) {
        db::Sql sql("(SELECT " + std::string(what) + " FROM changes");
        return sql.add(of_collection).add(" position > ? ORDER BY position LIMIT ?)", {position, limit});
    };
    const auto unnumbered = [&](const char* what, std::int64_t limit) {
        db::Sql sql("(SELECT " + std::string(what) + " FROM changes");
        return sql.add(of_collection).add(" position IS NULL LIMIT ?)", {limit});
    };
    db::Sql sql("SELECT (SELECT COUNT(*) FROM ");
    sql.add(numbered("id", most_counted)).add(" a) + (SELECT COUNT(*) FROM ").add(unnumbered("id", most_counted));
    sql.add(" b), (SELECT TIMESTAMPDIFF(MICROSECOND, MIN(changed_at), UTC_TIMESTAMP(3)) FROM (");
    sql.add(numbered("changed_at", 1)).add(" UNION ALL ").add(unnumbered("changed_at", 1)).add(") oldest)");
    const auto row = connection.query(sql).at(0);
    const std::chrono::microseconds lag(std::max<std::int64_t>(0, row.opt_integer(1).value_or(0)));
    return {std::min(row.integer(0), most_counted), std::chrono::duration_cast<std::chrono::milliseconds>(lag)};
}

std::uint64_t prune(db::Connection& connection, core::Time now) {
    // Those of writers who go on meanwhile can wait.
    while (number(connection) >= std::size_t(numbered_at_once)) continue;
    const auto bound = bounds(connection, now);
    std::uint64_t removed = 0;
    for (;;) {
        // From the beginning of the log without a gap: what readers are told is one position, up to which it was pruned.
        std::vector<db::Value> ids;
        std::int64_t last = 0;
        for (const auto& row : connection.query("SELECT id, position, changed_at FROM changes FORCE INDEX (changes_position) "
                                                "WHERE position < ? ORDER BY position "
                                                "LIMIT ?",
                                                {bound.position, batch})) {
            if (row.time(2) >= bound.time) break;
            ids.emplace_back(row.unsigned_integer(0));
            last = row.integer(1);
        }
        if (ids.empty()) return removed;
        // By id: a range of positions would lock the place where writers add theirs.
        removed += db::in_transaction(connection, [&] {
            connection.execute("UPDATE change_positions SET pruned = GREATEST(pruned, ?) WHERE id = 1", {last});
            return connection.execute(db::delete_by_key("changes", "id", ids.size()), ids);
        });
    }
}

}  // namespace tradepost::changes
