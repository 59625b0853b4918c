#include "outbox/stored.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "db/sql.h"
#include "json/parse.h"

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
            "SELECT COUNT(*) FROM (SELECT 1 FROM outbox_messages FORCE INDEX (outbox_messages_state) WHERE state = ? LIMIT ?) c",
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

bool in_address(char c) {
    return (c & 0x80) || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           std::string_view(".-_+").find(c) != std::string_view::npos;
}

// Whether a folded text has the folded address as one of its own, and not as a part of a longer one.
bool has_address(std::string_view text, std::string_view address) {
    for (auto at = text.find(address); at != std::string_view::npos; at = text.find(address, at + 1)) {
        auto end = at + address.size();
        if (end < text.size() && text[end] == '.') ++end;  // of a sentence
        if ((at == 0 || !in_address(text[at - 1])) && (end == text.size() || !in_address(text[end]))) return true;
    }
    return false;
}

bool any_text_has(const json::Json& value, std::string_view address) {
    if (value.is_string()) return has_address(core::fold(value.get_ref<const std::string&>()), address);
    return value.is_structured() &&
           std::any_of(value.begin(), value.end(), [&](const auto& each) { return any_text_has(each, address); });
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

std::uint64_t drop_about(db::Connection& connection, const std::set<core::Uuid>& ids, std::string_view address) {
    constexpr std::size_t length = 36;  // of an id in a text
    const auto folded = core::fold(address);
    const auto names_id = [&](const std::string& text) {
        for (std::size_t i = 0; i + length <= text.size(); ++i)
            if (text[i + 8] == '-' && text[i + 13] == '-')
                if (const auto id = core::Uuid::parse(std::string_view(text).substr(i, length)); id && ids.contains(*id))
                    return true;
        return false;
    };
    std::uint64_t dropped = 0;
    for (std::optional<core::Uuid> last;;) {
        const auto rows = connection.query("SELECT id, target, payload FROM outbox_messages FORCE INDEX (PRIMARY) WHERE " +
                                               std::string(last ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT ?",
                                           {last, batch});
        if (rows.empty()) return dropped;
        for (const auto& row : rows)
            if (names_id(row.text(1)) || names_id(row.text(2)) || any_text_has(json::parse(row.text(2)), folded))
                dropped += connection.execute("DELETE FROM outbox_messages WHERE id = ?", {row.uuid(0)});
        last = rows.back().uuid(0);
    }
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
    return removed;
}

}  // namespace tradepost::outbox
