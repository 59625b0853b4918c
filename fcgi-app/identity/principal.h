// The authenticated user of a request.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "core/uuid.h"
#include "identity/organisation.h"
#include "identity/sessions.h"
#include "identity/tokens.h"

namespace tradepost::identity {

struct Principal {
    core::Uuid user_id;
    std::string email, name;  // without an email it is an integration
    core::Time user_created_at;
    std::map<core::Uuid, Role> roles;                    // by organisation
    std::optional<std::vector<Membership>> memberships;  // on routes with CallerDetail::memberships

    // The credential: one of the two.
    std::optional<Token> token;
    std::optional<Session> session;
};

}  // namespace tradepost::identity
