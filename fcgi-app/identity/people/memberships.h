// Memberships of users in organisations, with their roles.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "db/connection.h"
#include "identity/organisations/organisation.h"
#include "identity/tokens/issued.h"

namespace tradepost::identity {

struct Membership {
    core::Uuid organisation_id;
    std::string slug, name;
    Role role;
    bool test;  // a test organisation
};

// An organisation that the user is an ADMIN of.
struct Administered {
    core::Uuid organisation_id;
    std::string name;
    bool second_factor_required;
};

// The role in a query of `memberships m` and `organisations o`. Where an organisation requires a second factor of its ADMINs, one without it
// has the rights of a MEMBER.
inline constexpr const char* effective_role =
    "IF(m.role = 'ADMIN' AND o.second_factor_required AND NOT EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = m.user_id "
    "AND "
    "f.enabled_at IS NOT NULL), 'MEMBER', m.role)";

// Sorts `organisations o` by name, regardless of case.
inline constexpr const char* memberships_order = " ORDER BY o.name COLLATE utf8mb4_unicode_ci, o.name, o.id";

// Borrows the connection. Calls throw db::Unavailable or db::Error.
class Memberships {
public:
    explicit Memberships(db::Connection& connection) : connection_(connection) {}

    // All of the user's, in memberships_order.
    std::vector<Membership> of_user(const core::Uuid& user_id);

    // Those in which the role is ADMIN, with or without the second factor that its rights may take; in memberships_order.
    std::vector<Administered> administered(const core::Uuid& user_id);

    // Whether the organisation requires a second factor of its ADMINs; what ADMINs without one issued ends. False, without effect, when the user
    // is not an ADMIN.
    bool require_second_factor(const core::Uuid& user_id, const core::Uuid& organisation_id, bool required, core::Time now);

    // Both record what they change in the audit log: in a transaction of the caller, which neither is then without. What the user issued in the
    // organisation ends with the membership, and with the role of an ADMIN.
    // An existing member gets this role. Throws db::Error when the user or the organisation does not exist.
    void add(const core::Uuid& user_id, const core::Uuid& organisation_id, Role role, core::Time now,
             IntegrationTokens tokens = IntegrationTokens::keep);

    // False when there was no such membership.
    bool remove(const core::Uuid& user_id, const core::Uuid& organisation_id, core::Time now,
                IntegrationTokens tokens = IntegrationTokens::keep);

private:
    std::optional<Role> lock(const core::Uuid& user_id, const core::Uuid& organisation_id);

    db::Connection& connection_;
};

}  // namespace tradepost::identity
