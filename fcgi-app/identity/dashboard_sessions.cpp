#include "identity/dashboard_sessions.h"

namespace tradepost::identity {
std::optional<NewSession> DashboardSessions::sign_in(std::string_view email, std::string_view password) {
    for (int attempt = 0; attempt < sign_in_attempts; ++attempt) {
        const auto user = sign_in_.verify(email, password);
        if (!user) return {};
        const auto minted = sessions_.begin(user->id, *user->password_hash, clock_.now());
        if (!minted) continue;
        if (auto principal = authenticator_.authenticate_session(minted->plain))
            return NewSession{std::move(*principal), minted->plain};
    }
    return {};
}

void DashboardSessions::sign_out(std::string_view plain) {
    sessions_.end(token_hash(plain));
}

std::variant<NewSession, PasswordFault> DashboardSessions::change_password(const Principal& principal, std::string_view current,
                                                                           std::string_view next, bool revoke_tokens) {
    for (int attempt = 0; attempt < sign_in_attempts; ++attempt) {
        const auto user = users_.find(principal.user_id);
        if (!user) return PasswordFault::session_ended;
        if (!user->password_hash || passwords_.verify(current, *user->password_hash) == Passwords::Verdict::wrong) break;
        const auto hash = passwords_.hash(next);
        const auto changed =
            sessions_.change_password(*principal.session, {*user->password_hash, hash, revoke_tokens}, clock_.now());
        if (const auto* minted = std::get_if<MintedSession>(&changed)) {
            NewSession started{principal, minted->plain};
            started.principal.session = minted->session;
            return started;
        }
        if (std::get<NotChanged>(changed) == NotChanged::session_ended) return PasswordFault::session_ended;
    }
    // A change elsewhere has ended this session, so the answer is not that the password is wrong.
    if (!sessions_.find_active(principal.session->hash, clock_.now())) return PasswordFault::session_ended;
    return PasswordFault::wrong;
}

}  // namespace tradepost::identity
