#include "identity/sessions/password_resets.h"

#include "audit/record.h"
#include "core/crypto.h"
#include "core/hex.h"
#include "db/failure.h"
#include "identity/people/users.h"
#include "identity/sessions/sessions.h"
#include "identity/tokens/tokens.h"

namespace tradepost::identity {

std::optional<std::string> PasswordResets::begin(const User& user, core::Time now, core::Time expires_at) {
    return db::in_transaction(connection_, [&]() -> std::optional<std::string> {
        const auto key = email_key(user.email);
        const auto same = connection_.query("SELECT 1 FROM users WHERE id = ? AND email_key = ? LIMIT 1 FOR UPDATE",
                                            {user.id, db::Binary{key}});
        const auto open = connection_.query("SELECT COUNT(*) FROM password_resets WHERE user_id = ? AND created_at > ?",
                                            {user.id, now - reset_lifetime});
        if (same.empty() || open.front().integer(0) >= max_open_resets) return {};
        auto token = core::to_hex(core::random_bytes(32));
        const auto hash = token_hash(token);
        connection_.execute("INSERT INTO password_resets (hash, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)",
                            {db::Binary{hash}, user.id, now, expires_at});
        return token;
    });
}

void PasswordResets::withdraw(std::string_view token) {
    const auto hash = token_hash(token);
    connection_.execute("DELETE FROM password_resets WHERE hash = ?", {db::Binary{hash}});
}

std::optional<User> PasswordResets::user_of(std::string_view token, core::Time now) {
    const auto hash = token_hash(token);
    const auto rows = connection_.query("SELECT user_id FROM password_resets WHERE hash = ? AND expires_at > ? LIMIT 1",
                                        {db::Binary{hash}, now});
    if (rows.empty()) return {};
    auto user = Users(connection_).find(rows.front().uuid(0));
    if (user && user->disabled_at) return {};
    return user;
}

bool PasswordResets::finish(std::string_view token, std::string_view password_hash, bool revoke_tokens, core::Time now) {
    return db::in_transaction(connection_, [&] {
        const auto user = user_of(token, now);
        if (!user) return false;
        // The user first, as all who change passwords and sessions.
        const auto locked =
            connection_.query("SELECT 1 FROM users WHERE id = ? AND disabled_at IS NULL LIMIT 1 FOR UPDATE", {user->id});
        const auto hash = token_hash(token);
        if (locked.empty() ||
            connection_.execute("DELETE FROM password_resets WHERE hash = ? AND expires_at > ?", {db::Binary{hash}, now}) == 0)
            return false;
        Users(connection_).set_password(user->id, password_hash, now);
        Sessions(connection_).end_all(user->id);
        audit::record(connection_, now, {.event = audit::Event::password_changed, .user = user->id, .detail = "by a letter"});
        if (revoke_tokens &&
            connection_.execute("UPDATE api_tokens SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL", {now, user->id}))
            audit::record(connection_, now, {.event = audit::Event::token_revoked, .user = user->id, .detail = "all"});
        return true;
    });
}

}  // namespace tradepost::identity
