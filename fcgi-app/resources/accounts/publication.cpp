#include "resources/accounts/publication.h"

#include <stdexcept>
#include <utility>

#include "db/failure.h"
#include "db/sql.h"
#include "identity/organisations/organisations.h"
#include "resources/accounts/background.h"
#include "resources/tables.h"

namespace tradepost::accounts {
namespace {

// Lists show the organisation's name and logo.
void change_lists(writes::WriteTransaction& transaction) {
    for (const auto& table : resources::tables())
        if (table.relist) transaction.changed(table.name);
}

// Those of `organisations` that are in the table with another name. Locks them.
std::vector<core::Uuid> renamed(db::Connection& connection, std::span<const identity::Organisation> organisations) {
    std::map<core::Uuid, std::string> names;
    std::vector<db::Value> ids;
    for (const auto& organisation : organisations) {
        names[organisation.id] = organisation.name;
        ids.emplace_back(organisation.id);
    }
    std::vector<core::Uuid> renamed;
    for (const auto& row : connection.query("SELECT id, name FROM organisations FORCE INDEX (PRIMARY) WHERE id IN (" +
                                                db::placeholders(ids.size()) + ") FOR UPDATE",
                                            ids))
        if (row.text(1) != names[row.uuid(0)]) renamed.push_back(row.uuid(0));
    return renamed;
}

}  // namespace

void write_organisations(writes::WriteTransaction& transaction, std::span<const identity::Organisation> organisations) {
    if (organisations.empty()) return;
    const auto others = renamed(transaction.connection(), organisations);
    std::map<core::Uuid, bool> published;
    std::vector<core::Uuid> ids;
    for (const auto& organisation : organisations) {
        if (organisation.test && organisation.published)
            throw std::runtime_error(organisation.slug +
                                     " is a test organisation, which cannot be published: run org live first");
        published[organisation.id] = organisation.published;
        ids.push_back(organisation.id);
    }
    identity::Organisations(transaction.connection()).write(organisations);
    db::conflict_on(transaction.connection(), ids);
    for (const auto& table : resources::tables())
        if (table.relist) table.relist(transaction, published);
    for (const auto& id : others) follow_renaming(transaction.connection(), id, organisations.front().updated_at);
    change_lists(transaction);
}

void change_organisation(writes::WriteTransaction& transaction, const identity::Organisation& before,
                         const identity::Organisation& after) {
    identity::Organisations(transaction.connection()).change(after);
    const bool renamed = after.name != before.name;
    if (renamed || after.logo_upload_id != before.logo_upload_id) change_lists(transaction);
    if (!renamed) return;
    db::conflict_on(transaction.connection(), std::span(&after.id, 1));
    follow_renaming(transaction.connection(), after.id, after.updated_at);
}

namespace {

// False when there is no such organisation. Writes nothing when `change` returns false.
template <class Change>
bool set(writes::WriteTransaction& transaction, const core::Uuid& id, core::Time now, Change&& change) {
    auto found = identity::Organisations(transaction.connection()).find(std::span(&id, 1), {});
    if (found.empty()) return false;
    if (!change(found[0])) return true;
    found[0].updated_at = now;
    write_organisations(transaction, found);
    return true;
}

}  // namespace

bool set_published(writes::WriteTransaction& transaction, const core::Uuid& id, bool published, core::Time now) {
    return set(transaction, id, now,
               [&](auto& organisation) { return std::exchange(organisation.published, published) != published; });
}

bool set_test(writes::WriteTransaction& transaction, const core::Uuid& id, bool test, core::Time now) {
    return set(transaction, id, now, [&](auto& organisation) {
        if (test) organisation.published = false;
        return std::exchange(organisation.test, test) != test;
    });
}

}  // namespace tradepost::accounts
