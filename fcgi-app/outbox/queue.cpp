#include "outbox/queue.h"

#include <algorithm>
#include <map>
#include <random>

#include "core/text.h"
#include "db/sql.h"

namespace tradepost::outbox {
namespace {

using namespace std::chrono_literals;

const std::string leased = "UTC_TIMESTAMP(3) + INTERVAL " + std::to_string(lease.count()) + " SECOND";
const std::string due = " FROM outbox_targets FORCE INDEX (outbox_targets_next) WHERE next_at <= UTC_TIMESTAMP(3)";
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

std::vector<Target> Queue::take(std::size_t most, std::span<const Target> busy, std::size_t most_of_one) {
    if (most == 0 || connection_.query("SELECT 1" + due + " LIMIT 1").empty()) return {};
    std::map<core::Uuid, std::size_t> held;
    for (const auto& each : busy)
        if (each.organisation_id) ++held[*each.organisation_id];
    db::Sql sql("SELECT target, organisation_id" + due);
    for (const auto& [organisation, count] : held)
        if (count >= most_of_one) sql.add(" AND (organisation_id IS NULL OR organisation_id <> ?)", {organisation});
    // More than needed, since many may be of one organisation.
    sql.add(" ORDER BY next_at LIMIT ? FOR UPDATE SKIP LOCKED", {std::int64_t(4 * most)});
    return db::in_transaction(connection_, [&] {
        std::vector<Target> taken;
        auto counts = held;
        for (const auto& row : connection_.query(sql)) {
            Target target{row.text(0), row.opt_uuid(1)};
            if (target.organisation_id && counts[*target.organisation_id]++ >= most_of_one) continue;
            taken.push_back(std::move(target));
            if (taken.size() == most) break;
        }
        if (taken.empty()) return taken;
        auto values = names(taken);
        values.insert(values.begin(), holder_);
        connection_.execute("UPDATE outbox_targets SET holder = ?, next_at = " + leased + " WHERE target IN (" +
                                db::placeholders(taken.size()) + ")",
                            values);
        return taken;
    });
}

void Queue::renew(std::span<const Target> targets) {
    if (targets.empty()) return;
    auto values = names(targets);
    values.emplace_back(holder_);
    db::in_transaction(connection_, [&] {
        connection_.execute("UPDATE outbox_targets SET next_at = " + leased + " WHERE target IN (" +
                                db::placeholders(targets.size()) + ") AND holder = ?",
                            values);
    });
}

std::optional<Delivery> Queue::next(const std::string& target) {
    const auto rows = connection_.query(
        "SELECT id, kind, target, payload, organisation_id, created_at, attempts, TIMESTAMPDIFF(SECOND, not_before, "
        "UTC_TIMESTAMP(3)) "
        "FROM outbox_messages FORCE INDEX (outbox_messages_queue) WHERE target = ? AND state = 'waiting' AND position IS NOT "
        "NULL "
        "ORDER BY position LIMIT 1",
        {target});
    if (rows.empty()) return {};
    const auto& row = rows[0];
    return Delivery{row.uuid(0),
                    row.text(1),
                    row.text(2),
                    row.text(3),
                    row.opt_uuid(4),
                    row.time(5),
                    std::uint32_t(row.integer(6)),
                    std::chrono::seconds(row.integer(7))};
}

bool Queue::finish(const Delivery& delivery, const Outcome& outcome, bool keep, const std::function<void()>& given_up) {
    const bool retry = outcome.kind == Outcome::Kind::retry && delivery.age < tried_for;
    const bool delivered = outcome.kind == Outcome::Kind::delivered;
    const auto wait = outcome.after ? std::chrono::milliseconds(*outcome.after) : back_off(delivery.attempts + 1);
    const auto state = delivered ? "delivered" : retry ? "waiting" : "dead";
    return db::in_transaction(connection_, [&] {
        const auto mine =
            retry ? connection_.execute(
                        "UPDATE outbox_targets SET next_at = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, holder = NULL "
                        "WHERE target = ? AND holder = ?",
                        {std::int64_t(wait.count() * 1000), delivery.target, holder_})
                  : connection_.execute("UPDATE outbox_targets SET next_at = " + leased + " WHERE target = ? AND holder = ?",
                                        {delivery.target, holder_});
        if (mine == 0) return false;
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
        if (next(target))
            connection_.execute("UPDATE outbox_targets SET holder = NULL, next_at = UTC_TIMESTAMP(3) WHERE target = ?", {target});
        else
            connection_.execute("DELETE FROM outbox_targets WHERE target = ?", {target});
    });
}

}  // namespace tradepost::outbox
