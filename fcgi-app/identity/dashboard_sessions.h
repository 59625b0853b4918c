// Sign-in to the dashboard, and the change of password there.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "identity/authenticator.h"
#include "identity/sign_in.h"

namespace tradepost::identity {

// A session that has just begun, with its user and the value of its cookie.
struct NewSession {
    Principal principal;
    std::string plain;
};

enum class PasswordFault { wrong, session_ended };

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

    // Empty as SignIn::exchange(), at the same cost. Always a new session, whatever session the client has.
    std::optional<NewSession> sign_in(std::string_view email, std::string_view password);

    // Ends the session with this value of its cookie, for all workers at once.
    void sign_out(std::string_view plain);
    void sign_out(const Session& session) { sessions_.end(session.hash); }

    // Ends all sessions of the user and begins another one in place of the principal's. Of several calls at once one succeeds.
    std::variant<NewSession, PasswordFault> change_password(const Principal& principal, std::string_view current,
                                                            std::string_view next, bool revoke_tokens);

private:
    Sessions& sessions_;
    Users& users_;
    SignIn& sign_in_;
    const Passwords& passwords_;
    const Authenticator& authenticator_;
    const core::Clock& clock_;
};

}  // namespace tradepost::identity
