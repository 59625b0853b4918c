#include "resource/feed/writing.h"

#include <algorithm>

#include "db/failure.h"
#include "db/sql.h"
#include "http/error.h"
#include "lists/horizon.h"

namespace tradepost::feeds {

namespace {

// Throws 404 when the caller is no member.
writes::OwnOrganisation owner(const api::Call& call, const core::Uuid& organisation_id, writes::Hold hold) {
    auto own = writes::Ownership(call.services.connection).of_user(call.caller().user_id, organisation_id, hold);
    if (own.empty()) throw http::not_found();
    return std::move(own[0]);
}

// The feed's row: when it was announced. Empty when there is none.
std::optional<core::Time> lock(db::Connection& connection, const core::Uuid& organisation_id, std::string_view list) {
    const auto rows =
        connection.query("SELECT begun_at FROM feeds FORCE INDEX (PRIMARY) WHERE organisation_id = ? AND list = ? FOR UPDATE",
                         {organisation_id, list});
    return rows.empty() ? std::nullopt : std::optional(rows[0].time(0));
}

bool is_same(const writes::OwnOrganisation& a, const writes::OwnOrganisation& b) {
    return a.published == b.published && a.summary.name == b.summary.name && a.summary.slug == b.summary.slug &&
           a.summary.logo_url == b.summary.logo_url;
}

}  // namespace

void announce_writing(const api::Call& call, const core::Uuid& organisation_id, std::string_view list) {
    auto& connection = call.services.connection;
    db::in_transaction(connection, [&] {
        // The feed's row comes first, because a feed of another host may hold it for long. Inserting it locks the organisation.
        if (!lock(connection, organisation_id, list))
            connection.execute(
                "INSERT INTO feeds (organisation_id, list, begun_at) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE begun_at = "
                "begun_at",
                {organisation_id, list, call.services.clock.now()});
        // Polls lock the organisation exclusively: they see the row as it is now, or this sees how far they went.
        const auto own = owner(call, organisation_id, writes::Hold::shared);
        connection.execute("UPDATE feeds SET begun_at = ? WHERE organisation_id = ? AND list = ?",
                           {lists::after_polls(call.services.clock.now(), own.polled_until), organisation_id, list});
    });
}

Writing begin_writing(const api::Call& call, const core::Uuid& organisation_id, std::string_view list) {
    // Waits for a poll that found the row free.
    const auto begun_at = lock(call.services.connection, organisation_id, list);
    if (!begun_at) throw http::not_found();
    Writing writing{owner(call, organisation_id, writes::Hold::none), {}};
    writing.now = std::max(*begun_at, lists::after_polls(call.services.clock.now(), writing.owner.polled_until));
    return writing;
}

void end_writing(const api::Call& call, const Writing& writing) {
    const auto& id = writing.owner.summary.id;
    const auto own = owner(call, id, writes::Hold::shared);
    db::conflict_on(call.services.connection, std::span(&id, 1));
    if (!is_same(own, writing.owner) || own.polled_until >= writing.now)
        throw db::Error(1213, "the organisation changed while its feed was written");
}

WithoutForeignKeyChecks::WithoutForeignKeyChecks(db::Connection& connection) : connection_(connection), held_(connection) {
    connection_.execute("SET foreign_key_checks = 0");
}

WithoutForeignKeyChecks::~WithoutForeignKeyChecks() {
    try {
        connection_.execute("SET foreign_key_checks = 1");
    } catch (const std::exception&) {
        connection_.close();
    }
}

namespace {

constexpr std::chrono::seconds longest_wait{8};

limits::Turns::Place take(const api::Call& call, const std::string& key, const char* why) {
    if (!call.services.turns) return {};
    auto taken = call.services.turns->take(key, most_waiting);
    if (!taken.taken || !taken.place.work(1, longest_wait)) throw http::service_unavailable(why);
    return std::move(taken.place);
}

}  // namespace

bool is_feed(const http::Request& request) {
    return request.raw_path().ends_with("/feed");
}

std::string turn_key(const core::Uuid& organisation_id) {
    return "feed of " + organisation_id.to_string();
}

limits::Turns::Place await_turn(const api::Call& call, const core::Uuid& organisation_id) {
    return take(call, turn_key(organisation_id), "the organisation has another feed written");
}

limits::Turns::Place await_reading_turn(const api::Call& call, const core::Uuid& organisation_id) {
    return take(call, "reading of " + turn_key(organisation_id), "the organisation has another feed read");
}

}  // namespace tradepost::feeds
