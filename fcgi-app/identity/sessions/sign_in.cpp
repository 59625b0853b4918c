#include "identity/sessions/sign_in.h"

#include <exception>

#include "core/log.h"
#include "core/present.h"

namespace tradepost::identity {

std::optional<User> SignIn::verify(std::string_view email, std::string_view password) {
    const auto failure_work = failure_work_.get();
    auto user = users_.find_by_email(email);
    auto verdict = Passwords::Verdict::wrong;
    HashingWork done;
    if (user && user->password_hash) {
        verdict = passwords_.verify(password, *user->password_hash);
        done = passwords_.work_of(*user->password_hash);
    }
    if (verdict == Passwords::Verdict::wrong || user->disabled_at) {
        passwords_.waste(password, rest(failure_work, done));
        return {};
    }
    if (verdict == Passwords::Verdict::needs_rehash) rehash(*user, password);
    return user;
}

std::optional<SignInFault> SignIn::code_fault(const core::Uuid& user_id, const std::optional<std::string_view>& code) {
    if (!second_factors_.is_enabled(user_id)) return {};
    if (!code) return SignInFault::code_missing;
    switch (second_factors_.check(user_id, *code, clock_.now())) {
        case CodeVerdict::right:
            return {};
        case CodeVerdict::too_many:
            return SignInFault::too_many_codes;
        case CodeVerdict::wrong:
            break;
    }
    return SignInFault::code_wrong;
}

std::variant<MintedToken, SignInFault> SignIn::exchange(const SignInAttempt& attempt, const std::optional<Scopes>& scopes) {
    return complete<MintedToken>(attempt, [&](const User& user) {
        return tokens_.mint(user.id, std::nullopt, clock_, {.password_hash = core::present(user.password_hash)}, scopes);
    });
}

void SignIn::rehash(User& user, std::string_view password) noexcept {
    try {
        const auto hash = passwords_.hash(password);
        if (users_.replace_password_hash(user.id, core::present(user.password_hash), hash)) user.password_hash = hash;
    } catch (const std::exception& error) {
        core::log::warning("password_not_rehashed", {{"user", user.id.to_string()}, {"error", error.what()}});
    }
}

}  // namespace tradepost::identity
