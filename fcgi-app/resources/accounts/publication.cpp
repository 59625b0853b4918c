#include "resources/accounts/publication.h"

#include "db/conflict.h"
#include "db/sql.h"
#include "identity/organisations.h"
#include "resources/tables.h"
#include "resources/words.h"

namespace tradepost::accounts {
namespace {

// Lists show the organisation's name and logo.
void change_lists(writes::WriteTransaction& transaction) {
    for (const auto& table : resources::content_tables()) transaction.changed(table.name);
}

// What the organisation publishes shows its name, and its jobs are found by it.
void write_renamed(writes::WriteTransaction& transaction, const core::Uuid& id) {
    resources::write_words_of_organisation(transaction, id);
    for (const auto& table : resources::content_tables()) transaction.record_all_of(table.name, table.name, id);
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
    for (const auto& row : connection.query(
             "SELECT id, name FROM organisations WHERE id IN (" + db::placeholders(ids.size()) + ") FOR UPDATE", ids))
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
        published[organisation.id] = organisation.published;
        ids.push_back(organisation.id);
    }
    identity::Organisations(transaction.connection()).write(organisations);
    db::conflict_on(transaction.connection(), ids);
    for (const auto& table : resources::content_tables()) table.relist(transaction, published);
    for (const auto& id : others) write_renamed(transaction, id);
    change_lists(transaction);
}

void change_organisation(writes::WriteTransaction& transaction, const identity::Organisation& before,
                         const identity::Organisation& after) {
    identity::Organisations(transaction.connection()).change(after);
    const bool renamed = after.name != before.name;
    if (renamed || after.logo_upload_id != before.logo_upload_id) change_lists(transaction);
    if (!renamed) return;
    db::conflict_on(transaction.connection(), std::span(&after.id, 1));
    write_renamed(transaction, after.id);
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
