// Who may write what: the caller's organisations, locked for the transaction that writes.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "db/connection.h"
#include "identity/organisations/organisation.h"

namespace tradepost::writes {

// An organisation as one of its members meets it.
struct OwnOrganisation {
    identity::OrganisationSummary summary;
    identity::Role role;
    bool published;
    std::optional<core::Time> polled_until;  // see lists::after_polls()
};

// How the organisation is locked. Exclusive is for what must add up over the whole organisation; it must be the first lock of that
// transaction. None only reads: a feed does so before it writes for long, and locks the organisation at its end.
enum class Hold { none, shared, exclusive };

// Inside a transaction. What is returned stays a membership, and the organisation as it is, until the transaction ends. The lock is shared:
// any number of writers hold it at once, and a poll (lists/horizon.h) waits for those who do. So take a row's `updatedAt` after it.
class Ownership {
public:
    explicit Ownership(db::Connection& connection) : connection_(connection) {}

    // All of the user's, or the one that is asked for if it is theirs.
    std::vector<OwnOrganisation> of_user(const core::Uuid& user_id, const std::optional<core::Uuid>& organisation_id,
                                         Hold hold = Hold::shared);

    // The organisation of a row of `table`, which has a column `organisation_id`. Empty when there is no such row, or the user is no member.
    std::optional<OwnOrganisation> of_row(const core::Uuid& user_id, std::string_view table, const core::Uuid& row_id);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::writes
