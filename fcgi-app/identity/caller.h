// The user of a token or a session, as a request needs it.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "core/uuid.h"
#include "db/connection.h"
#include "identity/organisations/organisation.h"
#include "identity/people/memberships.h"

namespace tradepost::identity {

// What test organisations are to a caller.
struct Sandbox {
    bool only = false;    // a member of test organisations and of no others
    core::Uuid examined;  // the one whose programs are examined, until
    core::Time examined_until{};
};

struct Caller {
    std::string user_email, user_name;  // without an email it is an integration
    core::Time user_created_at;
    std::map<core::Uuid, Role> roles;  // by organisation
    Sandbox sandbox;
    std::optional<std::vector<Membership>> memberships;  // as Memberships::of_user(), with CallerDetail::memberships
};

// Whether a request needs the names of its user's organisations, or their ids and roles alone.
enum class CallerDetail { roles, memberships };

// Parts of a query of `users u`: one row for each membership, or one row with NULL when there is none.
std::string caller_columns(CallerDetail detail);
const char* caller_tables();
const char* caller_order(CallerDetail detail);

// The caller in these rows, at least one; `first` is the index of the first of caller_columns().
Caller read_caller(const db::Rows& rows, std::size_t first, CallerDetail detail);

}  // namespace tradepost::identity
