// Finds the user whom a bearer token or a session belongs to.
#pragma once
#include <optional>
#include <string_view>
#include <variant>

#include "core/clock.h"
#include "identity/principal.h"
#include "identity/sessions.h"
#include "identity/tokens.h"

namespace tradepost::identity {

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
