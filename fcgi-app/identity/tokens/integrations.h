// Integrations: programs that act for an organisation. Each is a row of users without email and password, and a MEMBER of that one
// organisation, so it never signs in or gets letters, and nobody who leaves takes its tokens away.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "db/connection.h"
#include "identity/tokens/tokens.h"

namespace tradepost::identity {

inline constexpr int max_integrations = 50;  // of an organisation

struct Integration {
    core::Uuid id;
    std::string name;
    core::Time created_at;
    std::vector<Token> tokens;  // the active ones, newest first
};

// Borrows the connection. Calls throw db::Unavailable or db::Error. Those that change something run inside a transaction that holds the
// organisation (writes::Hold::exclusive), and record it in the audit log.
class Integrations {
public:
    explicit Integrations(db::Connection& connection) : connection_(connection) {}

    // By name, regardless of case.
    std::vector<Integration> of_organisation(const core::Uuid& organisation_id, core::Time now);

    // Empty when the organisation has max_integrations.
    std::optional<Integration> add(const core::Uuid& organisation_id, const std::string& name, core::Time now);

    // Its name, locked. Empty when the organisation has none with this id.
    std::optional<std::string> lock(const core::Uuid& organisation_id, const core::Uuid& id);

    // Ends its membership and its tokens. The user stays, disabled, until nothing refers to it (accounts::remove_integration). False when the
    // organisation has none with this id.
    bool remove(const core::Uuid& organisation_id, const core::Uuid& id, core::Time now);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::identity
