// Sign-in to the dashboard, and the change of password there.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "identity/authenticator.h"
#include "identity/sessions/sign_in.h"

namespace tradepost::identity {

// A session that has just begun, with its user and the value of its cookie.
struct NewSession {
    Principal principal;
    std::string plain;
};

enum class PasswordFault { wrong, session_ended };

struct PasswordChange {
    std::string_view current, next;
    bool revoke_tokens = false;
    SessionClient client{};
};

// Calls throw db::Unavailable, db::Error or std::bad_alloc.
class DashboardSessions {
public:
    // Borrows all.
    DashboardSessions(Sessions& sessions, Users& users, SignIn& sign_in, const Passwords& passwords,
                      const Authenticator& authenticator, const core::Clock& clock)
        : sessions_(sessions),
          users_(users),
          sign_in_(sign_in),
          passwords_(passwords),
          authenticator_(authenticator),
          clock_(clock) {}

    // Fails as SignIn::exchange(), at the same cost. Always a new session, whatever session the client has.
    std::variant<NewSession, SignInFault> sign_in(const SignInAttempt& attempt, const SessionClient& client);

    // Ends the session with this value of its cookie, for all workers at once.
    void sign_out(std::string_view plain);
    void sign_out(const Session& session) { sessions_.end(session.hash, clock_.now()); }

    // Records in the principal's session that the user has typed the password. Returns what was wrong, or nothing.
    std::optional<PasswordFault> confirm(const Principal& principal, std::string_view password);

    // Ends all sessions of the user and begins another one in place of the principal's. Of several calls at once one succeeds.
    std::variant<NewSession, PasswordFault> change_password(const Principal& principal, const PasswordChange& change);

private:
    PasswordFault fault(const Principal& principal);

    Sessions& sessions_;
    Users& users_;
    SignIn& sign_in_;
    const Passwords& passwords_;
    const Authenticator& authenticator_;
    const core::Clock& clock_;
};

}  // namespace tradepost::identity
