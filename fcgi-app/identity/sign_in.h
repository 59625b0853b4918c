// Sign-in with email and password.
#pragma once
#include <optional>
#include <string_view>

#include "core/clock.h"
#include "identity/passwords.h"
#include "identity/tokens.h"
#include "identity/users.h"

namespace tradepost::identity {

class SignIn {
public:
    // Borrows all four.
    SignIn(Users& users, Tokens& tokens, const Passwords& passwords, const core::Clock& clock)
        : users_(users), tokens_(tokens), passwords_(passwords), clock_(clock) {}

    // A new API token. Empty when the address is unknown, the password is wrong, or the user is disabled or has no password; each
    // takes as long as one verification. A hash of an old form is replaced. Throws db::Unavailable, db::Error, std::bad_alloc.
    std::optional<MintedToken> exchange(std::string_view email, std::string_view password);

    // The verification alone, for other kinds of sign-in. The returned user has the hash that is stored now.
    std::optional<User> verify(std::string_view email, std::string_view password);

private:
    void rehash(User& user, std::string_view password) noexcept;

    Users& users_;
    Tokens& tokens_;
    const Passwords& passwords_;
    const core::Clock& clock_;
};

}  // namespace tradepost::identity
