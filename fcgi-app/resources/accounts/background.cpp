#include "resources/accounts/background.h"

#include <algorithm>
#include <span>
#include <vector>

#include "db/failure.h"
#include "identity/tokens/integrations.h"
#include "json/parse.h"
#include "json/writer.h"
#include "outbox/queue.h"
#include "resources/tables.h"
#include "resources/users.h"

namespace tradepost::accounts {
namespace {

// Ids are read for many transactions at once, since each reading sorts all of the organisation's.
constexpr std::size_t ids_at_once = 5000, rows_at_once = 200;

struct Renaming {
    core::Uuid organisation_id;
    std::string table;                // empty: the first one
    std::optional<core::Uuid> after;  // rows with higher ids are left

    std::string text() const {
        json::Writer writer;
        writer.begin_object()
            .member("organisationId", organisation_id)
            .member("table", table)
            .member("after", after)
            .end_object();
        return writer.take();
    }
};

core::Uuid id_in(const json::Json& object, const char* name) {
    return core::Uuid::parse(object.at(name).get<std::string>()).value();
}

Renaming read(const std::string& payload) {
    const auto object = json::parse(payload);
    Renaming renaming{id_in(object, "organisationId"), object.at("table").get<std::string>(), {}};
    if (!object.at("after").is_null()) renaming.after = id_in(object, "after");
    return renaming;
}

void send(db::Connection& connection, core::Time now, std::string_view kind, const core::Uuid& id, std::string payload,
          const core::Uuid& organisation_id) {
    outbox::send(connection, now,
                 {.kind = std::string(kind),
                  .target = std::string(kind) + " " + id.to_string(),
                  .payload = std::move(payload),
                  .organisation_id = organisation_id});
}

// The next rows of a table, by id.
std::vector<core::Uuid> left_of(db::Connection& connection, const resource::Table& table, const Renaming& renaming) {
    std::vector<core::Uuid> ids;
    for (const auto& row : connection.query("SELECT id FROM " + std::string(table.table) + " FORCE INDEX (" +
                                                std::string(table.owner_index) + ") WHERE organisation_id = ? AND " +
                                                (renaming.after ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT ?",
                                            {renaming.organisation_id, renaming.after, std::int64_t(ids_at_once)}))
        ids.push_back(row.uuid(0));
    return ids;
}

// Jobs are found by the name; all rows show it, so readers of the change log want to know.
void rename(writes::WriteTransaction& transaction, const resource::Table& table, const core::Uuid& organisation_id,
            std::span<const core::Uuid> ids) {
    auto& connection = transaction.connection();
    connection.query("SELECT id FROM organisations WHERE id = ? LOCK IN SHARE MODE", {organisation_id});
    db::conflict_on(connection, std::span(&organisation_id, 1));
    if (table.found_by_organisation) table.write_words(transaction, ids);
    for (const auto& id : ids) transaction.record(table.name, id, organisation_id, changes::Kind::written);
}

}  // namespace

void follow_renaming(db::Connection& connection, const core::Uuid& organisation_id, core::Time now) {
    send(connection, now, renaming_kind, organisation_id, Renaming{organisation_id, {}, {}}.text(), organisation_id);
}

std::optional<std::string> renaming_step(db::Connection& connection, const core::Clock&, const std::string& payload) {
    auto renaming = read(payload);
    const auto tables = resources::tables();
    const auto shows_it = [](const resource::Table& each) { return each.relist != nullptr; };
    auto table = std::find_if(tables.begin(), tables.end(), [&](const auto& each) { return each.name == renaming.table; });
    if (table == tables.end()) table = std::find_if(tables.begin(), tables.end(), shows_it);
    const auto ids = left_of(connection, *table, renaming);
    for (std::span<const core::Uuid> left(ids); !left.empty();) {
        const auto some = left.first(std::min(rows_at_once, left.size()));
        left = left.subspan(some.size());
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            rename(transaction, *table, renaming.organisation_id, some);
            // Once for all, as each change has all lists read again.
            if (left.empty() && table->found_by_organisation) transaction.changed(table->name);
        });
    }
    if (ids.size() == ids_at_once) {
        renaming.table = table->name;
        renaming.after = ids.back();
        return renaming.text();
    }
    table = std::find_if(table + 1, tables.end(), shows_it);
    if (table == tables.end()) return {};
    return Renaming{renaming.organisation_id, std::string(table->name), {}}.text();
}

bool remove_integration(db::Connection& connection, const core::Uuid& organisation_id, const core::Uuid& id, core::Time now) {
    if (!identity::Integrations(connection).remove(organisation_id, id, now)) return false;
    json::Writer payload;
    payload.begin_object().member("userId", id).end_object();
    send(connection, now, removal_kind, id, payload.take(), organisation_id);
    return true;
}

std::optional<std::string> removal_step(db::Connection& connection, const core::Clock& clock, const std::string& payload) {
    if (!resources::remove_some(connection, clock, id_in(json::parse(payload), "userId"))) return {};
    return payload;
}

}  // namespace tradepost::accounts
