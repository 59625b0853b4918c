#include "identity/tokens/tokens.h"

#include <algorithm>
#include <exception>

#include "audit/record.h"
#include "core/crypto.h"
#include "core/log.h"
#include "db/failure.h"
#include "db/sql.h"

namespace tradepost::identity {
using audit::Event;
namespace {

const std::string token_columns = "t.id, t.user_id, t.name, t.created_at, t.expires_at, t.revoked_at, t.last_used_at, t.scopes";
constexpr std::size_t column_count = 8;
const std::string listed_columns = token_columns + ", t.minted_by, (SELECT b.name FROM users b WHERE b.id = t.minted_by)";

Token to_token(const db::Row& row) {
    const auto scopes = row.opt_text(7);
    return {row.uuid(0), row.uuid(1),     row.opt_text(2), row.time(3),
            row.time(4), row.opt_time(5), row.opt_time(6), scopes ? std::optional(parse_scopes(*scopes)) : std::nullopt};
}

// Of listed_columns.
Token to_listed_token(const db::Row& row) {
    auto token = to_token(row);
    if (const auto minter = row.opt_uuid(8)) token.minter = {*minter, row.text(9)};
    return token;
}

// The token's purpose and what it is good for.
std::string audit_detail(const Token& token) {
    auto detail = token.name.value_or("");
    if (token.scopes) detail += (detail.empty() ? "[" : " [") + to_text(*token.scopes) + "]";
    return detail;
}

}  // namespace

std::string token_hash(std::string_view plain) {
    return core::sha256(plain);
}

std::string_view to_string(TokenFault fault) {
    switch (fault) {
        case TokenFault::expired:
            return "expired";
        case TokenFault::revoked:
            return "revoked";
        case TokenFault::scope:
            return "scope";
        default:
            return "unknown";
    }
}

std::variant<ActiveToken, TokenFault> Tokens::find(std::string_view hash, core::Time now, CallerDetail detail) {
    const auto rows = connection_.query("SELECT " + token_columns + ", " + caller_columns(detail) +
                                            " FROM api_tokens t JOIN users u ON u.id = t.user_id" + caller_tables() +
                                            " WHERE t.hash = ? AND u.disabled_at IS NULL" + caller_order(detail),
                                        {db::Binary{hash}});
    if (rows.empty()) return TokenFault::unknown;
    auto token = to_token(rows.front());
    if (token.revoked_at) return TokenFault::revoked;
    if (!token.active(now)) return TokenFault::expired;
    return ActiveToken{read_caller(rows, column_count, detail), std::move(token)};
}

std::optional<ActiveToken> Tokens::find_active(std::string_view hash, core::Time now) {
    auto found = find(hash, now);
    if (auto* const active = std::get_if<ActiveToken>(&found)) return std::move(*active);
    return {};
}

std::optional<MintedToken> Tokens::mint(const core::Uuid& user_id, const std::optional<std::string>& name,
                                        const core::Clock& clock, const MintingRight& right,
                                        const std::optional<Scopes>& scopes) {
    return db::in_transaction(connection_, [&] { return mint_within(connection_, user_id, name, clock, right, scopes); });
}

std::optional<MintedToken> mint_within(db::Connection& connection, const core::Uuid& user_id,
                                       const std::optional<std::string>& name, const core::Clock& clock,
                                       const MintingRight& right, const std::optional<Scopes>& scopes) {
    const auto user = connection.query("SELECT disabled_at, password_hash FROM users WHERE id = ? FOR UPDATE", {user_id});
    if (user.empty() || !user.front().is_null(0)) return {};
    if (right.password_hash && user.front().opt_text(1) != *right.password_hash) return {};
    // With a lock, which reads what is committed now: a change of the password held the user's row until then.
    if (right.session && connection
                             .query("SELECT 1 FROM sessions WHERE hash = ? AND user_id = ? LIMIT 1 FOR UPDATE",
                                    {db::Binary{*right.session}, user_id})
                             .empty())
        return {};

    db::conflict_on(connection, std::span(&user_id, 1));
    // A statement of its own: as a part of the one above it could read the state before the lock was granted.
    const auto newest =
        connection.query("SELECT MAX(created_at) FROM api_tokens WHERE user_id = ?", {user_id}).front().opt_time(0);
    MintedToken minted;
    auto& token = minted.token;
    token.user_id = user_id;
    token.name = name;
    token.scopes = scopes;
    token.minter = right.minter;
    // The clocks of several hosts differ, and two mints may fall into one millisecond.
    token.created_at = newest ? std::max(clock.now(), *newest + core::milliseconds(1)) : clock.now();
    token.expires_at = token.created_at + token_lifetime;
    token.id = core::Uuid::v7(token.created_at);
    minted.plain = core::to_hex(core::random_bytes(32));
    const auto hash = token_hash(minted.plain);
    connection.execute(
        "INSERT INTO api_tokens (id, user_id, hash, name, created_at, expires_at, scopes, minted_by, rotated_from) VALUES (?, ?, "
        "?, "
        "?, ?, ?, ?, ?, ?)",
        {token.id, user_id, db::Binary{hash}, name, token.created_at, token.expires_at,
         scopes ? std::optional(to_text(*scopes)) : std::nullopt, token.minter ? std::optional(token.minter->id) : std::nullopt,
         right.rotated_from});

    const auto pruned = connection.query(
        "SELECT id FROM api_tokens WHERE user_id = ? AND revoked_at IS NULL AND expires_at > ? "
        "ORDER BY created_at DESC, id DESC LIMIT 1000 OFFSET ?",
        {user_id, token.created_at, max_active_tokens});
    for (const auto& row : pruned) connection.execute("DELETE FROM api_tokens WHERE id = ?", {row.uuid(0)});

    const auto record = [&](Event event, std::optional<core::Uuid> target = {}, std::string_view detail = {}) {
        audit::record(connection, token.created_at, {.event = event, .user = user_id, .target = target, .detail = detail});
    };
    if (right.password_hash) record(Event::sign_in, {}, "API");
    record(Event::token_minted, token.id, audit_detail(token));
    for (const auto& row : pruned) record(Event::token_removed, row.uuid(0));
    return minted;
}

bool Tokens::revoke(const core::Uuid& id, core::Time now) {
    return db::in_transaction(connection_, [&] {
        const auto token =
            connection_.query("SELECT user_id FROM api_tokens WHERE id = ? AND revoked_at IS NULL LIMIT 1 FOR UPDATE", {id});
        if (token.empty()) return false;
        connection_.execute("UPDATE api_tokens SET revoked_at = ? WHERE id = ?", {now, id});
        audit::record(connection_, now, {.event = Event::token_revoked, .user = token.front().uuid(0), .target = id});
        return true;
    });
}

bool Tokens::revoke_own(const core::Uuid& user_id, const core::Uuid& id, core::Time now) {
    return db::in_transaction(connection_, [&] { return revoke_within(connection_, user_id, id, now); });
}

bool revoke_within(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& id, core::Time now,
                   std::string_view why) {
    const auto revoked = connection.execute(
        "UPDATE api_tokens SET revoked_at = ? WHERE id = ? AND user_id = ? AND revoked_at IS NULL AND expires_at > ?",
        {now, id, user_id, now});
    if (revoked) audit::record(connection, now, {.event = Event::token_revoked, .user = user_id, .target = id, .detail = why});
    return revoked > 0;
}

std::optional<Rotated> rotate_within(db::Connection& connection, const Token& token, std::chrono::seconds overlap,
                                     const core::Clock& clock) {
    // As a mint does: the user before the tokens.
    connection.query("SELECT id FROM users WHERE id = ? FOR UPDATE", {token.user_id});
    const auto now = clock.now();
    const auto active = "id = ? AND revoked_at IS NULL AND expires_at > ?";
    const auto rows =
        connection.query(std::string("SELECT minted_by FROM api_tokens WHERE ") + active + " FOR UPDATE", {token.id, now});
    if (rows.empty()) return {};
    for (const auto& row : connection.query("SELECT id FROM api_tokens FORCE INDEX (api_tokens_user) WHERE user_id = ? AND "
                                            "rotated_from = ? AND last_used_at IS NULL",
                                            {token.user_id, token.id}))
        revoke_within(connection, token.user_id, row.uuid(0), now, "it took the place of another one and was never used");
    MintingRight right{.rotated_from = token.id};
    if (const auto minter = rows[0].opt_uuid(0)) right.minter = Minter{*minter, {}};
    auto minted = mint_within(connection, token.user_id, token.name, clock, right, token.scopes);
    if (!minted) return {};
    // No letter tells of its end.
    connection.execute(std::string("UPDATE api_tokens SET expires_at = LEAST(expires_at, ?), expiry_notices = 2 WHERE ") + active,
                       {now + overlap, token.id, now});
    const auto left =
        connection.query(std::string("SELECT expires_at FROM api_tokens WHERE ") + active + " FOR UPDATE", {token.id, now});
    return Rotated{std::move(*minted), left.empty() ? std::nullopt : std::optional(left[0].time(0))};
}

std::vector<Token> Tokens::list(const core::Uuid& user_id) {
    std::vector<Token> tokens;
    const auto rows = connection_.query(
        "SELECT " + listed_columns + " FROM api_tokens t WHERE t.user_id = ? ORDER BY t.created_at DESC, t.id DESC LIMIT 1000",
        {user_id});
    for (const auto& row : rows) tokens.push_back(to_listed_token(row));
    return tokens;
}

std::vector<Token> Tokens::list_active(const core::Uuid& user_id, core::Time now) {
    return identity::list_active(connection_, std::span(&user_id, 1), now);
}

std::vector<Token> list_active(db::Connection& connection, std::span<const core::Uuid> user_ids, core::Time now) {
    std::vector<Token> tokens;
    if (user_ids.empty()) return tokens;
    std::vector<db::Value> values(user_ids.begin(), user_ids.end());
    values.emplace_back(now);
    values.emplace_back(std::int64_t(user_ids.size()) * max_active_tokens);
    const auto rows = connection.query("SELECT " + listed_columns + " FROM api_tokens t WHERE t.user_id IN (" +
                                           db::placeholders(user_ids.size()) +
                                           ") AND t.revoked_at IS NULL AND t.expires_at > ? "
                                           "ORDER BY t.created_at DESC, t.id DESC LIMIT ?",
                                       values);
    for (const auto& row : rows) tokens.push_back(to_listed_token(row));
    return tokens;
}

void Tokens::touch_last_used(const core::Uuid& id, core::Time now) noexcept {
    try {
        db::Transaction transaction(connection_);
        const auto due = connection_.query(
            "SELECT 1 FROM api_tokens WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?) LIMIT 1 "
            "FOR UPDATE SKIP LOCKED",
            {id, now - last_used_interval});
        if (due.empty()) return;
        connection_.execute("UPDATE api_tokens SET last_used_at = ? WHERE id = ?", {now, id});
        transaction.commit();
    } catch (const std::exception& error) {
        core::log::warning("token_use_not_recorded", {{"token", id.to_string()}, {"error", error.what()}});
    }
}

}  // namespace tradepost::identity
