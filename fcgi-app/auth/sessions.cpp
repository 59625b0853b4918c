#include "auth/sessions.h"

namespace tradepost::auth {
namespace {

// A password is stored anew at a sign-in when its hash is an old one: once, so that who verified the old hash verifies the new
// one next.
constexpr int attempts = 3;

}  // namespace

std::optional<Begun> Sessions::sign_in(std::string_view email, std::string_view password) {
    for (int attempt = 0; attempt < attempts; ++attempt) {
        const auto user = sign_in_.verify(email, password);
        if (!user) return {};
        const auto made = sessions_.begin(user->id, *user->password_hash, clock_.now());
        if (!made) continue;
        if (auto principal = authenticator_.authenticate_session(made->plain)) return Begun{std::move(*principal), made->plain};
    }
    return {};
}

void Sessions::sign_out(std::string_view plain) {
    sessions_.end(repo::token_hash(plain));
}

std::variant<Begun, PasswordFault> Sessions::change_password(const Principal& principal, std::string_view current,
                                                             std::string_view next, bool revoke_tokens) {
    for (int attempt = 0; attempt < attempts; ++attempt) {
        const auto user = users_.find(principal.user_id);
        if (!user) return PasswordFault::session_ended;
        if (!user->password_hash || passwords_.verify(current, *user->password_hash) == Passwords::Verdict::wrong) break;
        const auto hash = passwords_.hash(next);
        const auto changed =
            sessions_.change_password(*principal.session, {*user->password_hash, hash, revoke_tokens}, clock_.now());
        if (const auto* made = std::get_if<repo::NewSession>(&changed)) {
            Begun begun{principal, made->plain};
            begun.principal.session = made->session;
            return begun;
        }
        if (std::get<repo::NotChanged>(changed) == repo::NotChanged::session_ended) return PasswordFault::session_ended;
    }
    // Changed elsewhere, which ended this session: there is nothing left to be wrong about.
    if (!sessions_.find_active(principal.session->hash, clock_.now())) return PasswordFault::session_ended;
    return PasswordFault::wrong;
}

}  // namespace tradepost::auth
