#include "outbox/queue.h"

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>

#include "core/text.h"
#include "db/bulk_insert.h"
#include "db/sql.h"
#include "db/statement.h"
#include "outbox/bundle.h"

namespace tradepost::outbox {

namespace {

using namespace std::chrono_literals;

const std::string leased = "UTC_TIMESTAMP(3) + INTERVAL " + std::to_string(lease.count()) + " SECOND";
const std::string due = " FROM outbox_targets FORCE INDEX (outbox_targets_lane) WHERE lane = ? AND next_at <= UTC_TIMESTAMP(3)";
// Messages of one bundle have one position.
const std::string first_of_target =
    " FROM outbox_messages FORCE INDEX (outbox_messages_queue) WHERE target = ? AND state = 'waiting' AND position IS NOT NULL "
    "ORDER BY position, id LIMIT 1";
constexpr std::size_t longest_result = 300;

std::vector<db::Value> names(std::span<const Target> targets) {
    std::vector<db::Value> values;
    for (const auto& each : targets) values.emplace_back(each.name);
    return values;
}

// Cuts between characters.
std::string_view shortened(std::string_view text) {
    if (text.size() <= longest_result) return text;
    std::size_t end = longest_result;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return text.substr(0, end);
}

}  // namespace

std::chrono::milliseconds back_off(std::uint32_t attempt) {
    constexpr std::chrono::milliseconds first = 1s, longest = 1h;
    const auto doubled = attempt > 12 ? longest : std::min(longest, first * (std::int64_t(1) << (std::max(attempt, 1u) - 1)));
    thread_local std::mt19937 random(std::random_device{}());
    return doubled * std::uniform_int_distribution<int>(80, 120)(random) / 100;
}

std::chrono::milliseconds wait_after(std::uint32_t attempt, std::optional<std::chrono::seconds> pause) {
    const auto own = back_off(attempt);
    return pause ? std::max<std::chrono::milliseconds>(own, std::min<std::chrono::seconds>(*pause, longest_pause)) : own;
}

bool is_repeated(db::Connection& connection, const Delivery& delivery) {
    return !connection
                .query(
                    "SELECT 1 FROM outbox_messages FORCE INDEX (outbox_messages_queue) WHERE target = ? AND state = 'waiting' "
                    "AND "
                    "position IS NOT NULL AND kind = ? AND payload = ? AND id <> ? LIMIT 1",
                    {delivery.target, delivery.kind, delivery.payload, delivery.id})
                .empty();
}

std::vector<Target> Queue::take(std::size_t most, std::span<const Target> busy, const Share& share, std::string_view lane) {
    if (most == 0 || connection_.query("SELECT 1" + due + " LIMIT 1", {lane}).empty()) return {};
    std::map<core::Uuid, std::size_t> held;
    for (const auto& each : busy)
        if (each.organisation_id) ++held[*each.organisation_id];
    db::Sql sql("SELECT target, organisation_id" + due, {lane});
    for (const auto& [organisation, count] : held)
        if (count >= share.of(organisation)) sql.add(" AND (organisation_id IS NULL OR organisation_id <> ?)", {organisation});
    // More than needed, since many may be of one organisation.
    sql.add(" ORDER BY next_at LIMIT ? FOR UPDATE SKIP LOCKED", {std::int64_t(4 * most)});
    return db::in_transaction(connection_, [&] {
        std::vector<Target> taken;
        auto counts = held;
        for (const auto& row : connection_.query(sql)) {
            Target target{row.text(0), row.opt_uuid(1)};
            if (const auto& own = target.organisation_id; own && counts[*own]++ >= share.of(*own)) continue;
            taken.push_back(std::move(target));
            if (taken.size() == most) break;
        }
        if (taken.empty()) return taken;
        auto values = names(taken);
        values.insert(values.begin(), holder_);
        connection_.execute("UPDATE outbox_targets FORCE INDEX (PRIMARY) SET holder = ?, next_at = " + leased +
                                " WHERE target IN (" + db::placeholders(taken.size()) + ")",
                            values);
        return taken;
    });
}

void Queue::renew(std::span<const Target> targets) {
    if (targets.empty()) return;
    auto values = names(targets);
    values.emplace_back(holder_);
    db::in_transaction(connection_, [&] {
        connection_.execute("UPDATE outbox_targets FORCE INDEX (PRIMARY) SET next_at = " + leased + " WHERE target IN (" +
                                db::placeholders(targets.size()) + ") AND holder = ?",
                            values);
    });
}

bool Queue::hold(const std::string& target, const std::string& lane) {
    return connection_.execute("UPDATE outbox_targets SET next_at = " + leased + ", lane = ? WHERE target = ? AND holder = ?",
                               {lane, target, holder_}) > 0;
}

std::optional<Delivery> Queue::next(const std::string& target) {
    for (;;) {
        const auto rows = connection_.query(
            "SELECT id, kind, target, payload, organisation_id, created_at, attempts, TIMESTAMPDIFF(SECOND, not_before, "
            "UTC_TIMESTAMP(3)), bundle_id" +
                first_of_target,
            {target});
        if (rows.empty()) return {};
        const auto& row = rows[0];
        const auto bundle = row.opt_uuid(8);
        if (!bundle)
            return Delivery{row.uuid(0),
                            row.text(1),
                            row.text(2),
                            row.text(3),
                            row.opt_uuid(4),
                            row.time(5),
                            std::uint32_t(row.integer(6)),
                            std::chrono::seconds(row.integer(7))};
        const bool held = db::in_transaction(connection_, [&] {
            if (!hold(target, lane_of_(row.text(1)))) return false;
            unpack(connection_, row.uuid(0), *bundle);
            return true;
        });
        if (!held) return {};
    }
}

bool Queue::finish(const Delivery& delivery, const Outcome& outcome, bool keep, const std::function<void()>& given_up) {
    const bool retry = outcome.kind == Outcome::Kind::retry && delivery.age < tried_for;
    const bool delivered = outcome.kind == Outcome::Kind::delivered;
    const auto wait = wait_after(delivery.attempts + 1, outcome.pause);
    const auto state = delivered ? "delivered" : retry ? "waiting" : "dead";
    const auto lane = lane_of_(delivery.kind);
    return db::in_transaction(connection_, [&] {
        const bool mine =
            retry ? connection_.execute(
                        "UPDATE outbox_targets SET next_at = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, holder = NULL, lane = ? "
                        "WHERE target = ? AND holder = ?",
                        {std::int64_t(wait.count() * 1000), lane, delivery.target, holder_}) > 0
                  : hold(delivery.target, lane);
        if (!mine) return false;
        if (delivered && !keep)
            connection_.execute("DELETE FROM outbox_messages WHERE id = ?", {delivery.id});
        else
            connection_.execute(
                "UPDATE outbox_messages SET state = ?, attempts = ?, attempted_at = UTC_TIMESTAMP(3), status = ?, result = ? "
                "WHERE "
                "id = ?",
                {state, std::int64_t(delivery.attempts + 1), outcome.status ? db::Value(*outcome.status) : db::Value(nullptr),
                 shortened(outcome.result), delivery.id});
        if (!delivered && !retry && given_up) given_up();
        return true;
    });
}

void Queue::release(const std::string& target) {
    db::in_transaction(connection_, [&] {
        if (connection_.query("SELECT 1 FROM outbox_targets WHERE target = ? AND holder = ? FOR UPDATE", {target, holder_})
                .empty())
            return;
        if (!connection_.query("SELECT 1" + first_of_target, {target}).empty())
            connection_.execute("UPDATE outbox_targets SET holder = NULL, next_at = UTC_TIMESTAMP(3) WHERE target = ?", {target});
        else
            connection_.execute("DELETE FROM outbox_targets WHERE target = ?", {target});
    });
}

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

std::size_t number_locked(db::Connection& connection, const LaneOf& lane_of) {
    const auto last = lock_last(connection);
    if (!last) return 0;
    // A read without locks, so that writers wait for nothing: it sees what was committed.
    const auto rows =
        connection.query("SELECT id, target, organisation_id, kind" + unnumbered + " ORDER BY not_before, id LIMIT ?",
                         {std::int64_t(numbered_at_once)});
    if (rows.empty()) return 0;
    std::string ids;
    std::map<std::string, std::string> targets;
    for (const auto& row : rows) {
        ids.append(ids.empty() ? "" : ", ").append(db::literal(row.uuid(0)));
        targets.try_emplace(row.text(1), db::literal(row.opt_uuid(2)) + ", " + db::literal(lane_of(row.text(3))));
    }
    // Targets first, as those do who give a lease back. The row has to change, or Galera would see no conflict with its removal.
    db::BulkInsert upserts(connection, "outbox_targets (target, organisation_id, lane, next_at, arrivals)",
                           "arrivals = arrivals + 1, lane = VALUES(lane)");
    for (const auto& [target, values] : targets) upserts.add(db::literal(target) + ", " + values + ", UTC_TIMESTAMP(3), 1");
    upserts.flush();
    connection.execute("UPDATE outbox_messages FORCE INDEX (PRIMARY) SET position = ? + FIELD(id, " + ids + ") WHERE id IN (" +
                           ids + ") AND position IS NULL",
                       {*last});
    connection.execute("UPDATE outbox_positions SET last = ? WHERE id = 1", {*last + std::int64_t(rows.size())});
    return rows.size();
}

}  // namespace

std::size_t number(db::Connection& connection, const LaneOf& lane_of) {
    if (connection.query("SELECT 1" + unnumbered + " LIMIT 1").empty()) return 0;
    return db::in_transaction(connection, [&] { return number_locked(connection, lane_of); });
}

std::vector<core::Uuid> send(db::Connection& connection, core::Time now, std::span<const Message> messages) {
    std::vector<core::Uuid> ids;
    ids.reserve(messages.size());
    db::BulkInsert rows(connection,
                        "outbox_messages (id, kind, target, organisation_id, payload, state, created_at, not_before)");
    for (const auto& each : messages) {
        if (each.kind.size() > longest_kind || each.target.size() > longest_target || each.payload.size() > largest_payload)
            throw std::logic_error("a message of kind " + each.kind.substr(0, longest_kind) + " is too long for the outbox");
        ids.push_back(core::Uuid::v7(now));
        rows.add(db::literal(ids.back()) + ", " + db::literal(each.kind) + ", " + db::literal(each.target) + ", " +
                 db::literal(each.organisation_id) + ", " + db::literal(each.payload) + ", 'waiting', UTC_TIMESTAMP(3), " +
                 (each.not_before ? db::literal(*each.not_before) : "UTC_TIMESTAMP(3)"));
    }
    rows.flush();
    return ids;
}

}  // namespace tradepost::outbox
