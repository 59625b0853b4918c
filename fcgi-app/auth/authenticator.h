// From a bearer token, or a session, to the user behind it.
#pragma once
#include <optional>
#include <string_view>

#include "auth/principal.h"
#include "core/clock.h"
#include "repo/sessions.h"
#include "repo/tokens.h"

namespace tradepost::auth {

class Authenticator {
public:
    // Borrows all.
    Authenticator(repo::Tokens& tokens, repo::Sessions& sessions, const core::Clock& clock)
        : tokens_(tokens), sessions_(sessions), clock_(clock) {}

    // Empty when the token is unknown, expired or revoked, or its user disabled. One round trip and no cache, so that a
    // revocation is seen at once. Throws db::Unavailable or db::Error.
    std::optional<Principal> authenticate(std::string_view token, repo::Wanted wanted = repo::Wanted::roles) const;

    // The same for what a session's cookie holds: empty also when it was idle too long.
    std::optional<Principal> authenticate_session(std::string_view plain, repo::Wanted wanted = repo::Wanted::roles) const;

private:
    repo::Tokens& tokens_;
    repo::Sessions& sessions_;
    const core::Clock& clock_;
};

}  // namespace tradepost::auth
