// Signing in to the dashboard and changing the password there.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "auth/authenticator.h"
#include "auth/sign_in.h"

namespace tradepost::auth {

// A session that has just begun, and what its cookie holds.
struct Begun {
    Principal principal;
    std::string plain;
};

enum class PasswordFault { wrong, session_ended };

// Calls throw db::Unavailable, db::Error or std::bad_alloc.
class Sessions {
public:
    // Borrows all.
    Sessions(repo::Sessions& sessions, repo::Users& users, SignIn& sign_in, const Passwords& passwords,
             const Authenticator& authenticator, const core::Clock& clock)
        : sessions_(sessions),
          users_(users),
          sign_in_(sign_in),
          passwords_(passwords),
          authenticator_(authenticator),
          clock_(clock) {}

    // Empty as SignIn::exchange(), at the same cost. Always a new session, whatever the client came with.
    std::optional<Begun> sign_in(std::string_view email, std::string_view password);

    // Ends it, for every worker at once.
    void sign_out(std::string_view plain);
    void sign_out(const repo::Session& session) { sessions_.end(session.hash); }

    // Ends all of the user's sessions and begins another one in place of the principal's. Of several at once one succeeds.
    std::variant<Begun, PasswordFault> change_password(const Principal& principal, std::string_view current,
                                                       std::string_view next, bool revoke_tokens);

private:
    repo::Sessions& sessions_;
    repo::Users& users_;
    SignIn& sign_in_;
    const Passwords& passwords_;
    const Authenticator& authenticator_;
    const core::Clock& clock_;
};

}  // namespace tradepost::auth
