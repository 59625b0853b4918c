// Ends what a person issued as an ADMIN of an organisation when the person loses the right to issue it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::identity {

// An active token of an integration.
struct IssuedToken {
    core::Uuid id, integration_id;
    std::string name, integration, organisation;  // organisation: its slug
};

// Whether tokens of integrations end with the person who created them: a program may need them until somebody replaces them.
enum class IntegrationTokens { keep, revoke };

// Borrows the connection. Calls throw db::Unavailable or db::Error. Those that change something run inside a transaction of the caller.
class Issued {
public:
    explicit Issued(db::Connection& connection) : connection_(connection) {}

    // Ends what the user issued in the organisation, or in all without one: open invitations, and with `revoke` tokens of its integrations, which is
    // recorded. What takes a confirmation takes a new one in the user's sessions.
    void end(const core::Uuid& user_id, const std::optional<core::Uuid>& organisation_id, core::Time now,
             IntegrationTokens tokens = IntegrationTokens::keep);

    // The same in organisations that require a second factor of their ADMINs, for a user who has none any more.
    void end_without_second_factor(const core::Uuid& user_id, core::Time now, IntegrationTokens tokens = IntegrationTokens::keep);

    // The same in one organisation that requires it from now on, for all ADMINs who have none.
    void end_of_admins_without_second_factor(const core::Uuid& organisation_id, core::Time now);

    // The active tokens of integrations that the user created in the organisation, or in all without one; by name.
    std::vector<IssuedToken> tokens(const core::Uuid& user_id, const std::optional<core::Uuid>& organisation_id, core::Time now);

    // Refuses sign-in, sessions and tokens of the user, and ends what the user issued anywhere. Records it, with `detail`, unless the user was
    // disabled already.
    void shut_out(const core::Uuid& user_id, core::Time now, IntegrationTokens tokens, std::string_view detail = {});

    // Whether the user may issue something: enabled and an ADMIN, with the second factor if one is required. With `lock` this stays so until the
    // transaction ends.
    bool may_issue(const core::Uuid& user_id, const core::Uuid& organisation_id, bool lock);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::identity
