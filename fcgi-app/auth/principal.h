// Who a request comes from.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "core/uuid.h"
#include "domain/organisation.h"
#include "repo/sessions.h"
#include "repo/tokens.h"

namespace tradepost::auth {

struct Principal {
    core::Uuid user_id;
    std::string email, name;
    core::Time user_created_at;
    std::map<core::Uuid, domain::Role> roles;                  // in the user's organisations
    std::optional<std::vector<repo::Membership>> memberships;  // of routes that show them

    // What showed it: one of the two.
    std::optional<repo::Token> token;
    std::optional<repo::Session> session;
};

}  // namespace tradepost::auth
