// Bulk reading and writing of users and their memberships, for imports and exports: people, and no integrations.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/connection.h"
#include "db/sql.h"
#include "fields/field.h"
#include "identity/organisations/organisation.h"
#include "identity/people/users.h"

namespace tradepost::identity {

// The fields of a user in imports and exports.
std::span<const fields::Field<User>> user_fields();

// Borrows the connection; meant for one transaction.
class UserWriter {
public:
    using Roles = std::map<core::Uuid, Role>;  // by organisation

    explicit UserWriter(db::Connection& connection) : connection_(connection) {}

    // Users with any of these ids or email keys (email_key()), locked until the transaction ends.
    std::vector<User> find(std::span<const core::Uuid> ids, std::span<const std::string> email_keys,
                           db::Locks locks = db::Locks::rows);

    // Those of these ids that belong to integrations, which no import changes.
    std::vector<core::Uuid> integrations(std::span<const core::Uuid> ids);

    // At most `limit` with ids greater than `id`, in the order of their ids.
    std::vector<User> after(std::optional<core::Uuid> id, int limit);

    // Inserts or updates by id. Throws db::Error with is_duplicate_key() when an address belongs to another id, or an id is that of an
    // integration.
    void write(std::span<const User> users);

    // The roles of these users in their organisations.
    std::map<core::Uuid, Roles> roles(std::span<const core::Uuid> ids);

    // Replaces all memberships of the user.
    void set_roles(const core::Uuid& id, const Roles& roles, core::Time now);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::identity
