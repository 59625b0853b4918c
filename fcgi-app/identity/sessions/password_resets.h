// Links by which users who forgot their password choose another one.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "db/connection.h"
#include "identity/people/users.h"

namespace tradepost::identity {

inline constexpr std::chrono::minutes reset_lifetime{30};
inline constexpr int max_open_resets = 3;  // of a user: more letters would only annoy

// Borrows the connection. Calls throw db::Unavailable or db::Error.
class PasswordResets {
public:
    explicit PasswordResets(db::Connection& connection) : connection_(connection) {}

    // A new link's token, 64 lower-case hexadecimal characters, which are stored nowhere. Empty when the user has max_open_resets, or another
    // address by now: the letter would go to the old one.
    std::optional<std::string> begin(const User& user, core::Time now, core::Time expires_at);

    // Forgets a token that nobody was told.
    void withdraw(std::string_view token);

    // Whose password the token lets one choose: empty when it is unknown, used or expired, or its user disabled.
    std::optional<User> user_of(std::string_view token, core::Time now);

    // Stores the password and ends all sessions and other links of the user, with `revoke_tokens` also all API tokens. Of several calls with
    // one token one succeeds. False as user_of().
    bool finish(std::string_view token, std::string_view password_hash, bool revoke_tokens, core::Time now);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::identity
