// Organisations, whole, and what depends on whether they are published.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"
#include "domain/organisation.h"

namespace tradepost::repo {

// An organisation as one of its members sees it.
struct Account {
    domain::Organisation organisation;
    domain::Role role;
};

// Borrows the connection. Calls throw db::Unavailable or db::Error.
class Organisations {
public:
    explicit Organisations(db::Connection& connection) : connection_(connection) {}

    std::optional<domain::Organisation> find(const core::Uuid& id);
    std::optional<domain::Organisation> find_by_slug(std::string_view slug);

    // Those with any of these ids or slugs, locked until the transaction ends, if there is one. Slugs are domain::is_slug().
    std::vector<domain::Organisation> find(std::span<const core::Uuid> ids, std::span<const std::string> slugs);

    // The user's own, or the one that is asked for if it is theirs. At most two: more are as ambiguous.
    std::vector<Account> of_member(const core::Uuid& user_id, const std::optional<core::Uuid>& id);

    // The same for one, locked until the transaction ends, and the membership with it. Empty when there is no such membership.
    std::optional<Account> lock_for_member(const core::Uuid& user_id, const core::Uuid& id);

    // At most `limit`, in the order of their ids, those behind `id` only.
    std::vector<domain::Organisation> after(std::optional<core::Uuid> id, int limit = 1000);

    // Inserts or updates by id, logos excepted. Inside a transaction; what depends on a changed organisation follows, and the
    // collections are touched: call it last. Throws db::Error with is_duplicate_key() when a slug is another id's.
    void write(std::span<const domain::Organisation> organisations);

    // Writes what members may change of an organisation that lock_for_member() returned, logo included: all but slug and
    // `published`. The collections are touched when `summary_changed`, that is, when name or logo are others: lists show those
    // two.
    void change(const domain::Organisation& organisation, bool summary_changed);

    // As write() for one in a transaction of its own. False when there is no such organisation; publishing what is published does
    // nothing.
    bool set_published(const core::Uuid& id, bool published, core::Time now);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::repo
