// The user whom a token or a session shows.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "core/uuid.h"
#include "db/connection.h"
#include "domain/organisation.h"
#include "repo/memberships.h"

namespace tradepost::repo {

// What a request needs to know of its user.
struct Caller {
    std::string user_email, user_name;
    core::Time user_created_at;
    std::map<core::Uuid, domain::Role> roles;            // by organisation
    std::optional<std::vector<Membership>> memberships;  // as Memberships::of_user() has them, where they were asked for
};

// Whether a request shows the names of its user's organisations, or only needs to know which they are.
enum class Wanted { roles, memberships };

// Of `users u` and what caller_tables() joins to it: a row for each membership, or one with NULL for the lack of any.
std::string caller_columns(Wanted wanted);
std::string caller_tables(Wanted wanted);
const char* caller_order(Wanted wanted);

// The caller in these rows, of which there is one at least; `first` is where caller_columns() begin.
Caller read_caller(const db::Rows& rows, std::size_t first, Wanted wanted);

}  // namespace tradepost::repo
