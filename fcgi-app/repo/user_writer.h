// Many users at once, with their memberships.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/connection.h"
#include "domain/field.h"
#include "domain/organisation.h"
#include "domain/user.h"

namespace tradepost::repo {

// What describes a user in imports and exports.
std::span<const domain::Field<domain::User>> user_fields();

// Borrows the connection; meant for one transaction.
class UserWriter {
public:
    using Roles = std::map<core::Uuid, domain::Role>;  // by organisation

    explicit UserWriter(db::Connection& connection) : connection_(connection) {}

    // Those with any of these ids or email keys (domain::email_key()), locked until the transaction ends.
    std::vector<domain::User> find(std::span<const core::Uuid> ids, std::span<const std::string> email_keys);

    // At most `limit`, in the order of their ids, those behind `id` only.
    std::vector<domain::User> after(std::optional<core::Uuid> id, int limit);

    // Inserts or updates by id. Throws db::Error with is_duplicate_key() when an address is another id's.
    void write(std::span<const domain::User> users);

    // The memberships of these users.
    std::map<core::Uuid, Roles> roles(std::span<const core::Uuid> ids);

    // Makes these the user's only memberships.
    void set_roles(const core::Uuid& id, const Roles& roles, core::Time now);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::repo
