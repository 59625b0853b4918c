// Finds the user whom a bearer token or a session belongs to.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/clock.h"
#include "core/time.h"
#include "core/uuid.h"
#include "identity/organisations/organisation.h"
#include "identity/sessions/sessions.h"
#include "identity/tokens/tokens.h"

namespace tradepost::identity {

// The authenticated user of a request.

struct Principal {
    core::Uuid user_id;
    std::string email, name;  // without an email it is an integration
    core::Time user_created_at;
    std::map<core::Uuid, Role> roles;  // by organisation
    Sandbox sandbox;
    std::optional<std::vector<Membership>> memberships;  // on routes with CallerDetail::memberships

    // The credential: one of the two.
    std::optional<Token> token;
    std::optional<Session> session;
};

class Authenticator {
public:
    // Borrows all.
    Authenticator(Tokens& tokens, Sessions& sessions, const core::Clock& clock)
        : tokens_(tokens), sessions_(sessions), clock_(clock) {}

    // The user of the token, or why the token cannot be used. One round trip and no cache, so that a revocation holds from the next
    // request on. Throws db::Unavailable or db::Error.
    std::variant<Principal, TokenFault> authenticate(std::string_view token, CallerDetail detail = CallerDetail::roles) const;

    // The same for the value of a session's cookie. Empty when the session is unknown, has ended or was idle too long, or when
    // its user is disabled.
    std::optional<Principal> authenticate_session(std::string_view plain, CallerDetail detail = CallerDetail::roles) const;

private:
    Tokens& tokens_;
    Sessions& sessions_;
    const core::Clock& clock_;
};

}  // namespace tradepost::identity
