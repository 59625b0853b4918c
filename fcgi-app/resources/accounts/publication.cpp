#include "resources/accounts/publication.h"

#include "db/conflict.h"
#include "identity/organisations.h"
#include "resources/tables.h"

namespace tradepost::accounts {
namespace {

// Lists show the organisation's name and logo.
void change_lists(writes::WriteTransaction& transaction) {
    for (const auto& table : resources::content_tables()) transaction.changed(table.name);
}

}  // namespace

void write_organisations(writes::WriteTransaction& transaction, std::span<const identity::Organisation> organisations) {
    if (organisations.empty()) return;
    identity::Organisations(transaction.connection()).write(organisations);
    std::map<core::Uuid, bool> published;
    std::vector<core::Uuid> ids;
    for (const auto& organisation : organisations) {
        published[organisation.id] = organisation.published;
        ids.push_back(organisation.id);
    }
    db::conflict_on(transaction.connection(), ids);
    for (const auto& table : resources::content_tables()) table.relist(transaction, published);
    change_lists(transaction);
}

void change_organisation(writes::WriteTransaction& transaction, const identity::Organisation& organisation,
                         bool summary_changed) {
    identity::Organisations(transaction.connection()).change(organisation);
    if (summary_changed) change_lists(transaction);
}

bool set_published(writes::WriteTransaction& transaction, const core::Uuid& id, bool published, core::Time now) {
    auto found = identity::Organisations(transaction.connection()).find(std::span(&id, 1), {});
    if (found.empty()) return false;
    if (found[0].published == published) return true;
    found[0].published = published;
    found[0].updated_at = now;
    write_organisations(transaction, found);
    return true;
}

}  // namespace tradepost::accounts
