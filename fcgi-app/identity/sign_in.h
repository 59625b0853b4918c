// Sign-in with email and password.
#pragma once
#include <optional>
#include <string_view>

#include "core/clock.h"
#include "identity/failure_work.h"
#include "identity/passwords.h"
#include "identity/tokens.h"
#include "identity/users.h"

namespace tradepost::identity {

// The password may be changed, or its hash of an old form replaced, between its verification and what follows from it, so that is tried
// again with the new hash. The second happens once, so the last attempt is not lost to it.
inline constexpr int sign_in_attempts = 3;

class SignIn {
public:
    // Borrows all.
    SignIn(Users& users, Tokens& tokens, const Passwords& passwords, FailureWork& failure_work, const core::Clock& clock)
        : users_(users), tokens_(tokens), passwords_(passwords), failure_work_(failure_work), clock_(clock) {}

    // A new API token. Empty when the address is unknown, the password is wrong, or the user is disabled or has no password; each
    // takes the same time. A hash of an old form is replaced. Throws db::Unavailable, db::Error, std::bad_alloc.
    std::optional<MintedToken> exchange(std::string_view email, std::string_view password);

    // The verification alone, for other kinds of sign-in. The returned user has the hash that is stored now.
    std::optional<User> verify(std::string_view email, std::string_view password);

private:
    void rehash(User& user, std::string_view password) noexcept;

    Users& users_;
    Tokens& tokens_;
    const Passwords& passwords_;
    FailureWork& failure_work_;
    const core::Clock& clock_;
};

}  // namespace tradepost::identity
