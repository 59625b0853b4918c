#include "resources/accounts/publication.h"

#include "identity/organisations.h"
#include "resources/events/writer.h"
#include "resources/jobs/writer.h"
#include "resources/posts/writer.h"
#include "writes/relist.h"

namespace tradepost::accounts {
namespace {

// Lists show the organisation's name and logo.
void change_lists(writes::WriteTransaction& transaction) {
    for (const auto list : {events::EventTable::name, jobs::JobTable::name, posts::PostTable::name}) transaction.changed(list);
}

}  // namespace

void write_organisations(writes::WriteTransaction& transaction, std::span<const identity::Organisation> organisations) {
    if (organisations.empty()) return;
    identity::Organisations(transaction.connection()).write(organisations);
    std::map<core::Uuid, bool> published;
    for (const auto& organisation : organisations) published[organisation.id] = organisation.published;
    writes::relist<events::EventTable>(transaction, published);
    writes::relist<posts::PostTable>(transaction, published);
    writes::relist<jobs::JobTable>(transaction, published);
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
