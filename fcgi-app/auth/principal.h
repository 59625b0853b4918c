// Who a request comes from.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "core/time.h"
#include "core/uuid.h"
#include "domain/organisation.h"

namespace tradepost::auth {

struct Principal {
    core::Uuid user_id;
    std::string email, name;
    core::Time user_created_at;
    std::map<core::Uuid, domain::Role> roles;  // in the user's organisations

    core::Uuid token_id;
    std::optional<std::string> token_name;
    core::Time token_created_at, token_expires_at;
    std::optional<core::Time> token_last_used_at;
};

}  // namespace tradepost::auth
