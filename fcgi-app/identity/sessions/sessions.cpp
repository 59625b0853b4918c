#include "identity/sessions/sessions.h"

#include <exception>

#include "audit/record.h"
#include "core/crypto.h"
#include "core/log.h"
#include "db/failure.h"
#include "identity/tokens/tokens.h"

namespace tradepost::identity {
using audit::Event;
namespace {

constexpr std::size_t max_user_agent_length = 255;

std::string printable(std::string_view user_agent) {
    std::string text(user_agent.substr(0, max_user_agent_length));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
}

}  // namespace

core::Uuid session_id(std::string_view hash) {
    return core::Uuid::from_bytes(hash.substr(0, 16));
}

std::optional<ActiveSession> Sessions::find_active(std::string_view hash, core::Time now, CallerDetail detail) {
    const auto rows = connection_.query(
        std::string("SELECT s.user_id, s.csrf_token, s.created_at, s.last_seen_at, COALESCE(s.confirmed_at, s.created_at), ") +
            caller_columns(detail) + " FROM sessions s JOIN users u ON u.id = s.user_id" + caller_tables() +
            " WHERE s.hash = ? AND s.last_seen_at > ? AND s.created_at > ? AND u.disabled_at IS NULL" + caller_order(detail),
        {db::Binary{hash}, now - session_idle, now - session_lifetime});
    if (rows.empty()) return {};
    const auto& row = rows.front();
    return ActiveSession{read_caller(rows, 5, detail),
                         {std::string(hash), row.uuid(0), row.text(1), row.time(2), row.time(3), row.time(4)}};
}

MintedSession Sessions::insert(const core::Uuid& user_id, const SessionClient& client, core::Time now) {
    MintedSession minted;
    minted.plain = core::to_hex(core::random_bytes(32));
    minted.session = {token_hash(minted.plain), user_id, core::random_bytes(32), now, now, now};
    const auto browser = printable(client.user_agent);
    connection_.execute(
        "INSERT INTO sessions (hash, user_id, csrf_token, created_at, last_seen_at, address, user_agent) VALUES (?, ?, ?, ?, ?, "
        "?, ?)",
        {db::Binary{minted.session.hash}, user_id, db::Binary{minted.session.csrf_token}, now, now, client.address, browser});
    return minted;
}

std::optional<MintedSession> Sessions::begin(const core::Uuid& user_id, std::string_view password_hash,
                                             const SessionClient& client, core::Time now) {
    return db::in_transaction(connection_, [&]() -> std::optional<MintedSession> {
        const auto user =
            connection_.query("SELECT 1 FROM users WHERE id = ? AND disabled_at IS NULL AND password_hash = ? LIMIT 1 FOR UPDATE",
                              {user_id, password_hash});
        if (user.empty()) return {};
        db::conflict_on(connection_, std::span(&user_id, 1));
        auto minted = insert(user_id, client, now);
        audit::record(
            connection_, now,
            {.event = Event::sign_in, .user = user_id, .target = session_id(minted.session.hash), .detail = "dashboard"});
        return minted;
    });
}

bool Sessions::confirm(const Session& session, std::string_view password_hash, core::Time now) {
    return db::in_transaction(connection_, [&] {
        const auto confirmed = connection_.execute(
            "UPDATE sessions s JOIN users u ON u.id = s.user_id SET s.confirmed_at = ? "
            "WHERE s.hash = ? AND u.password_hash = ? AND u.disabled_at IS NULL",
            {now, db::Binary{session.hash}, password_hash});
        if (confirmed) audit::record(connection_, now, {.event = Event::password_confirmed, .user = session.user_id});
        return confirmed > 0;
    });
}

std::variant<MintedSession, NotChanged> Sessions::change_password(const Session& session, const NewPassword& password,
                                                                  core::Time now) {
    using Result = std::variant<MintedSession, NotChanged>;
    return db::in_transaction(connection_, [&]() -> Result {
        const auto& user_id = session.user_id;
        const auto user =
            connection_.query("SELECT disabled_at, password_hash FROM users WHERE id = ? LIMIT 1 FOR UPDATE", {user_id});
        // A statement of its own: as a part of the one above it could read the state before the lock was granted.
        const auto live =
            connection_.query("SELECT 1 FROM sessions WHERE hash = ? AND last_seen_at > ? AND created_at > ? LIMIT 1 FOR UPDATE",
                              {db::Binary{session.hash}, now - session_idle, now - session_lifetime});
        if (user.empty() || !user.front().is_null(0) || live.empty()) return NotChanged::session_ended;
        if (user.front().opt_text(1) != password.old_hash) return NotChanged::password_hash_differs;

        connection_.execute("UPDATE users SET password_hash = ?, updated_at = ? WHERE id = ?", {password.new_hash, now, user_id});
        end_all(user_id);
        audit::record(connection_, now, {.event = Event::password_changed, .user = user_id});
        if (password.revoke_tokens &&
            connection_.execute("UPDATE api_tokens SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL", {now, user_id}))
            audit::record(connection_, now, {.event = Event::token_revoked, .user = user_id, .detail = "all"});
        return insert(user_id, password.client, now);
    });
}

std::vector<ListedSession> Sessions::list_active(const core::Uuid& user_id, core::Time now) {
    std::vector<ListedSession> sessions;
    const auto rows = connection_.query(
        "SELECT hash, created_at, last_seen_at, address, user_agent FROM sessions "
        "WHERE user_id = ? AND last_seen_at > ? AND created_at > ? ORDER BY last_seen_at DESC, created_at DESC, hash LIMIT 1000",
        {user_id, now - session_idle, now - session_lifetime});
    for (const auto& row : rows) {
        const auto hash = row.text(0);
        sessions.push_back({session_id(hash), {hash, user_id, {}, row.time(1), row.time(2), {}}, row.text(3), row.text(4)});
    }
    return sessions;
}

bool Sessions::end(std::string_view hash, core::Time now, Event event) {
    return db::in_transaction(connection_, [&] {
        const auto session =
            connection_.query("SELECT user_id FROM sessions WHERE hash = ? LIMIT 1 FOR UPDATE", {db::Binary{hash}});
        if (session.empty()) return false;
        connection_.execute("DELETE FROM sessions WHERE hash = ?", {db::Binary{hash}});
        audit::record(connection_, now, {.event = event, .user = session.front().uuid(0), .target = session_id(hash)});
        return true;
    });
}

bool Sessions::end_own(const core::Uuid& user_id, const core::Uuid& id, core::Time now) {
    return db::in_transaction(connection_, [&] {
        const auto ended = connection_.execute("DELETE FROM sessions WHERE user_id = ? AND LEFT(hash, 16) = ?", {user_id, id});
        if (ended) audit::record(connection_, now, {.event = Event::session_ended, .user = user_id, .target = id});
        return ended > 0;
    });
}

std::uint64_t Sessions::end_others(const Session& kept, core::Time now) {
    return db::in_transaction(connection_, [&] {
        const auto ended =
            connection_.execute("DELETE FROM sessions WHERE user_id = ? AND hash <> ?", {kept.user_id, db::Binary{kept.hash}});
        if (ended)
            audit::record(connection_, now,
                          {.event = Event::session_ended, .user = kept.user_id, .detail = std::to_string(ended) + " others"});
        return ended;
    });
}

std::uint64_t Sessions::end_all(const core::Uuid& user_id) {
    db::conflict_on(connection_, std::span(&user_id, 1));
    connection_.execute("DELETE FROM email_changes WHERE user_id = ?", {user_id});
    connection_.execute("DELETE FROM password_resets WHERE user_id = ?", {user_id});
    return connection_.execute("DELETE FROM sessions WHERE user_id = ?", {user_id});
}

void Sessions::touch(std::string_view hash, std::string_view address, core::Time now) noexcept {
    try {
        db::Transaction transaction(connection_);
        const auto due =
            connection_.query("SELECT 1 FROM sessions WHERE hash = ? AND last_seen_at <= ? LIMIT 1 FOR UPDATE SKIP LOCKED",
                              {db::Binary{hash}, now - session_seen_interval});
        if (due.empty()) return;
        connection_.execute("UPDATE sessions SET last_seen_at = ?, address = ? WHERE hash = ?", {now, address, db::Binary{hash}});
        transaction.commit();
    } catch (const std::exception& error) {
        core::log::warning("session_use_not_recorded", {{"error", error.what()}});
    }
}

}  // namespace tradepost::identity
