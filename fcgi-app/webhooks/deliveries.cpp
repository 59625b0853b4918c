#include "webhooks/deliveries.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/said.h"
#include "json/parse.h"
#include "outbox/stored.h"

namespace tradepost::webhooks {
namespace {

// A dealer chooses the address, and may choose one in the operator's own network: what is behind it is not shown to dealers.
std::optional<std::string> without_answer(std::optional<std::string> result) {
    if (result) result->resize(std::min(result->size(), result->find(core::it_said)));
    return result;
}

Delivery read(const db::Row& row) {
    auto payload = row.text(2);
    auto type = json::parse(payload).at("type").get<std::string>();
    return {row.uuid(0),        std::move(type),    row.text(1),
            std::move(payload), row.time(3),        std::uint32_t(row.integer(4)),
            row.opt_time(5),    row.opt_integer(6), without_answer(row.opt_text(7))};
}

const std::string select_delivery =
    "SELECT id, state, payload, created_at, attempts, attempted_at, status, result FROM outbox_messages ";

}  // namespace

std::vector<Delivery> Deliveries::latest() {
    std::vector<Delivery> all;
    // One that waits has been tried only if it is the first, or is sent once more and has no position yet.
    for (const auto& [state, order] : {std::pair("delivered", "DESC"), std::pair("dead", "DESC"), std::pair("waiting", "ASC")})
        for (const auto& row :
             connection_.query(select_delivery +
                                   "FORCE INDEX (outbox_messages_queue) WHERE target = ? AND state = ? ORDER BY "
                                   "position " +
                                   order + ", id " + order + " LIMIT ?",
                               {target_, state, deliveries_kept}))
            if (auto delivery = read(row); delivery.attempted_at) all.push_back(std::move(delivery));
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return std::pair(a.attempted_at, a.id) > std::pair(b.attempted_at, b.id); });
    if (all.size() > deliveries_kept) all.resize(deliveries_kept);
    return all;
}

std::int64_t Deliveries::waiting() {
    return connection_
        .query(
            "SELECT CAST(COALESCE(SUM(COALESCE(b.parts, 1)), 0) AS SIGNED) FROM (SELECT bundle_id FROM outbox_messages FORCE "
            "INDEX "
            "(outbox_messages_queue) WHERE target = ? AND state = 'waiting' LIMIT ?) w LEFT JOIN outbox_bundles b ON b.id = "
            "w.bundle_id",
            {target_, outbox::most_counted})
        .at(0)
        .integer(0);
}

std::optional<Delivery> Deliveries::find(const core::Uuid& id) {
    const auto rows = connection_.query(select_delivery + "FORCE INDEX (PRIMARY) WHERE id = ? AND target = ?", {id, target_});
    if (rows.empty()) return {};
    return read(rows[0]);
}

void Deliveries::retry(const core::Uuid& id) {
    for (const auto* state : {"delivered", "dead"}) outbox::retry(connection_, {.state = state, .target = target_, .id = id});
    outbox::hurry(connection_, target_);
}

void Deliveries::trim() {
    for (const auto* state : {"delivered", "dead"}) {
        const auto rows = connection_.query(
            "SELECT position, id FROM outbox_messages FORCE INDEX (outbox_messages_queue) WHERE target = ? AND state = ? ORDER "
            "BY position DESC, id DESC LIMIT 1 OFFSET ?",
            {target_, state, deliveries_kept});
        if (rows.empty()) continue;
        const auto position = rows[0].integer(0);  // messages of one bundle share it
        connection_.execute(
            "DELETE FROM outbox_messages WHERE target = ? AND state = ? AND (position < ? OR (position = ? AND id <= ?))",
            {target_, state, position, position, rows[0].uuid(1)});
    }
}

}  // namespace tradepost::webhooks
