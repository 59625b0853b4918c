// Memberships of users in organisations, with their roles.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "db/connection.h"
#include "identity/organisation.h"

namespace tradepost::identity {

struct Membership {
    core::Uuid organisation_id;
    std::string slug, name;
    Role role;
};

// Sorts `organisations o` by name, regardless of case.
inline constexpr const char* memberships_order = " ORDER BY o.name COLLATE utf8mb4_unicode_ci, o.name, o.id";

// Borrows the connection. Every call is one round trip and throws db::Unavailable or db::Error.
class Memberships {
public:
    explicit Memberships(db::Connection& connection) : connection_(connection) {}

    // All of the user's, in memberships_order.
    std::vector<Membership> of_user(const core::Uuid& user_id);

    // Empty when the user is no member, or either does not exist.
    std::optional<Role> role_in(const core::Uuid& user_id, const core::Uuid& organisation_id);

    // An existing member gets this role. Throws db::Error when the user or the organisation does not exist.
    void add(const core::Uuid& user_id, const core::Uuid& organisation_id, Role role, core::Time now);

    // False when there was no such membership.
    bool remove(const core::Uuid& user_id, const core::Uuid& organisation_id);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::identity
