// The user whom a token or a session shows.
#pragma once
#include <map>
#include <string>

#include "core/time.h"
#include "core/uuid.h"
#include "db/connection.h"
#include "domain/organisation.h"

namespace tradepost::repo {

// What a request needs to know of its user.
struct Caller {
    std::string user_email, user_name;
    core::Time user_created_at;
    std::map<core::Uuid, domain::Role> roles;  // by organisation
};

// Of `users u LEFT JOIN memberships m`: a row for each membership, or one with NULL for the lack of any.
inline constexpr const char* caller_columns = "u.email, u.name, u.created_at, m.organisation_id, m.role";

// The caller in these rows, of which there is one at least; `first` is where caller_columns begin.
Caller read_caller(const db::Rows& rows, std::size_t first);

}  // namespace tradepost::repo
