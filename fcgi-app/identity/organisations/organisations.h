// Organisations in the database.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"
#include "db/sql.h"
#include "identity/organisations/organisation.h"

namespace tradepost::identity {

// An organisation as one of its members sees it.
struct Account {
    Organisation organisation;
    Role role;
};

// Borrows the connection. Calls throw db::Unavailable or db::Error.
class Organisations {
public:
    explicit Organisations(db::Connection& connection) : connection_(connection) {}

    std::optional<Organisation> find(const core::Uuid& id);
    std::optional<Organisation> find_by_slug(std::string_view slug);

    // Those with any of these ids or slugs; inside a transaction locked until it ends. Slugs are core::is_slug().
    std::vector<Organisation> find(std::span<const core::Uuid> ids, std::span<const std::string> slugs,
                                   db::Locks locks = db::Locks::rows);

    // The user's own, or only the one with `id` if it is theirs. At most two: two are as ambiguous as more.
    std::vector<Account> of_member(const core::Uuid& user_id, const std::optional<core::Uuid>& id);

    // The same for one, locked until the transaction ends, and the membership with it. Empty when there is no such membership.
    std::optional<Account> lock_for_member(const core::Uuid& user_id, const core::Uuid& id);

    // At most `limit` with ids greater than `id`, in the order of their ids.
    std::vector<Organisation> after(std::optional<core::Uuid> id, int limit = 1000);

    // The next two write the row alone: resources/accounts/publication.h updates what lists show of it, too.

    // Inserts or updates by id, without logos. Throws db::Error with is_duplicate_key() when a slug belongs to another id.
    void write(std::span<const Organisation> organisations);

    // Writes all but slug and `published` of an organisation that lock_for_member() returned, logo included.
    void change(const Organisation& organisation);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::identity
