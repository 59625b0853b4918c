// Sign-in with email and password.
#pragma once
#include <optional>
#include <string_view>
#include <variant>

#include "core/clock.h"
#include "identity/passwords/failure_work.h"
#include "identity/passwords/passwords.h"
#include "identity/people/users.h"
#include "identity/sessions/second_factors.h"
#include "identity/tokens/tokens.h"

namespace tradepost::identity {

// The password may be changed, or its hash of an old form replaced, between its verification and what follows from it, so that is tried
// again with the new hash. The second happens once, so the last attempt is not lost to it.
inline constexpr int sign_in_attempts = 3;

// What somebody signs in with; `code` is that of the second factor.
struct SignInAttempt {
    std::string_view email, password;
    std::optional<std::string_view> code{};
};

enum class SignInFault {
    credentials,  // the address is unknown, the password wrong, or the user is disabled or has no password; each takes the same time
    code_missing,    // only who knows the password learns that there is a second factor
    code_wrong,      // or used before
    too_many_codes,  // of that user were wrong lately
};

// Calls throw db::Unavailable, db::Error, std::bad_alloc.
class SignIn {
public:
    // Borrows all.
    SignIn(Users& users, Tokens& tokens, const Passwords& passwords, SecondFactors& second_factors, FailureWork& failure_work,
           const core::Clock& clock)
        : users_(users),
          tokens_(tokens),
          passwords_(passwords),
          second_factors_(second_factors),
          failure_work_(failure_work),
          clock_(clock) {}

    // A new API token with these scopes, or with all.
    std::variant<MintedToken, SignInFault> exchange(const SignInAttempt& attempt, const std::optional<Scopes>& scopes);

    // What begin(user) returns, a std::optional<Result>, once the user is verified. The user has the hash that is stored now; begin()
    // returns nothing when that was replaced since.
    template <class Result, class Begin>
    std::variant<Result, SignInFault> complete(const SignInAttempt& attempt, Begin begin) {
        for (int i = 0; i < sign_in_attempts; ++i) {
            const auto user = verify(attempt.email, attempt.password);
            if (!user) break;
            // A code works once, so that a further round does not ask for it.
            if (const auto fault = i == 0 ? code_fault(user->id, attempt.code) : std::nullopt) return *fault;
            if (auto result = begin(*user)) return std::move(*result);
        }
        return SignInFault::credentials;
    }

private:
    // The user with this address and password. A hash of an old form is replaced.
    std::optional<User> verify(std::string_view email, std::string_view password);
    std::optional<SignInFault> code_fault(const core::Uuid& user_id, const std::optional<std::string_view>& code);
    void rehash(User& user, std::string_view password) noexcept;

    Users& users_;
    Tokens& tokens_;
    const Passwords& passwords_;
    SecondFactors& second_factors_;
    FailureWork& failure_work_;
    const core::Clock& clock_;
};

}  // namespace tradepost::identity
