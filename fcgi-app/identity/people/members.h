// The members of an organisation, as they see each other: people, and no integrations (identity/tokens/integrations.h).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "db/connection.h"
#include "identity/organisations/organisation.h"

namespace tradepost::identity {

struct Member {
    core::Uuid user_id;
    std::string name, email;
    Role role;  // as it was given, whether or not the ADMIN has the second factor that its rights may take
    core::Time created_at;
};

// Borrows the connection. Calls throw db::Unavailable or db::Error.
class Members {
public:
    explicit Members(db::Connection& connection) : connection_(connection) {}

    // By name, regardless of case.
    std::vector<Member> of_organisation(const core::Uuid& organisation_id);

    // Locked until the transaction ends.
    std::optional<Member> lock(const core::Uuid& organisation_id, const core::Uuid& user_id);

    // Whether somebody else is an ADMIN who may sign in. Inside a transaction, which holds the organisation exclusively
    // (writes::Hold): of two who take each other's role the second one sees what the first one did.
    bool has_other_admin(const core::Uuid& organisation_id, const core::Uuid& user_id);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::identity
