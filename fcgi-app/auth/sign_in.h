// Email and password to a new API token.
#pragma once
#include <optional>
#include <string_view>

#include "auth/passwords.h"
#include "core/clock.h"
#include "repo/tokens.h"
#include "repo/users.h"

namespace tradepost::auth {

class SignIn {
public:
    // Borrows all four.
    SignIn(repo::Users& users, repo::Tokens& tokens, const Passwords& passwords, const core::Clock& clock)
        : users_(users), tokens_(tokens), passwords_(passwords), clock_(clock) {}

    // Empty when the address is unknown, the password wrong, or the user disabled or without a password: all at the cost of one
    // verification. A password that is stored in an old form is stored anew. Throws db::Unavailable, db::Error, std::bad_alloc.
    std::optional<repo::MintedToken> exchange(std::string_view email, std::string_view password);

    // The first half of exchange(), for other kinds of sign-in. The user has the hash that is stored by now.
    std::optional<domain::User> verify(std::string_view email, std::string_view password);

private:
    void store_anew(domain::User& user, std::string_view password) noexcept;

    repo::Users& users_;
    repo::Tokens& tokens_;
    const Passwords& passwords_;
    const core::Clock& clock_;
};

}  // namespace tradepost::auth
