#include "identity/sessions/dashboard_sessions.h"

#include "core/present.h"

namespace tradepost::identity {

std::variant<NewSession, SignInFault> DashboardSessions::sign_in(const SignInAttempt& attempt, const SessionClient& client) {
    return sign_in_.complete<NewSession>(attempt, [&](const User& user) -> std::optional<NewSession> {
        const auto minted = sessions_.begin(user.id, *user.password_hash, client, clock_.now());
        if (!minted) return {};
        auto principal = authenticator_.authenticate_session(minted->plain);
        if (!principal) return {};
        return NewSession{std::move(*principal), minted->plain};
    });
}

void DashboardSessions::sign_out(std::string_view plain) {
    sessions_.end(token_hash(plain), clock_.now(), audit::Event::session_ended);
}

std::optional<PasswordFault> DashboardSessions::confirm(const Principal& principal, std::string_view password) {
    for (int attempt = 0; attempt < sign_in_attempts; ++attempt) {
        const auto user = users_.find(principal.user_id);
        if (!user || !user->password_hash || passwords_.verify(password, *user->password_hash) == Passwords::Verdict::wrong)
            break;
        if (sessions_.confirm(core::present(principal.session), *user->password_hash, clock_.now())) return {};
    }
    return fault(principal);
}

std::variant<NewSession, PasswordFault> DashboardSessions::change_password(const Principal& principal,
                                                                           const PasswordChange& change) {
    for (int attempt = 0; attempt < sign_in_attempts; ++attempt) {
        const auto user = users_.find(principal.user_id);
        if (!user) return PasswordFault::session_ended;
        if (!user->password_hash || passwords_.verify(change.current, *user->password_hash) == Passwords::Verdict::wrong) break;
        const auto hash = passwords_.hash(change.next);
        const auto changed = sessions_.change_password(
            core::present(principal.session), {*user->password_hash, hash, change.revoke_tokens, change.client}, clock_.now());
        if (const auto* minted = std::get_if<MintedSession>(&changed)) {
            NewSession started{principal, minted->plain};
            started.principal.session = minted->session;
            return started;
        }
        if (std::get<NotChanged>(changed) == NotChanged::session_ended) return PasswordFault::session_ended;
    }
    return fault(principal);
}

PasswordFault DashboardSessions::fault(const Principal& principal) {
    // A change elsewhere has ended this session, so the answer is not that the password is wrong.
    if (!sessions_.find_active(core::present(principal.session).hash, clock_.now())) return PasswordFault::session_ended;
    return PasswordFault::wrong;
}

}  // namespace tradepost::identity
