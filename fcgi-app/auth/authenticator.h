// From a bearer token to the user behind it.
#pragma once
#include <optional>
#include <string_view>

#include "auth/principal.h"
#include "core/clock.h"
#include "repo/tokens.h"

namespace tradepost::auth {

class Authenticator {
public:
    // Borrows both.
    Authenticator(repo::Tokens& tokens, const core::Clock& clock) : tokens_(tokens), clock_(clock) {}

    // Empty when the token is unknown, expired or revoked, or its user disabled. One round trip and no cache, so that a
    // revocation is seen at once. Throws db::Unavailable or db::Error.
    std::optional<Principal> authenticate(std::string_view token);

private:
    repo::Tokens& tokens_;
    const core::Clock& clock_;
};

}  // namespace tradepost::auth
