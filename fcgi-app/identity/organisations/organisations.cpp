#include "identity/organisations/organisations.h"

#include <map>
#include <stdexcept>

#include "db/bulk_insert.h"
#include "db/sql.h"
#include "fields/rows.h"
#include "identity/people/memberships.h"

namespace tradepost::identity {
namespace {

const std::string& columns() {
    static const std::string list = "id, slug, logo_upload_id, logo_url" + fields::columns(organisation_fields());
    return list;
}

// The membership is read first, as in writes::Ownership: one order of locks prevents deadlocks.
const std::string& select_account() {
    static const std::string statement =
        "SELECT o.id, o.slug, o.logo_upload_id, o.logo_url" + fields::columns(organisation_fields(), "o.") + ", " +
        effective_role + " FROM memberships m STRAIGHT_JOIN organisations o ON o.id = m.organisation_id WHERE m.user_id = ?";
    return statement;
}

Organisation read(db::Row& row) {
    Organisation organisation;
    organisation.id = row.uuid(0);
    organisation.slug = row.text(1);
    organisation.logo_upload_id = row.opt_uuid(2);
    organisation.logo_url = row.opt_text(3);
    fields::read_columns(row, 4, organisation_fields(), organisation);
    return organisation;
}

Account read_account(db::Row& row) {
    const auto role = parse_role(row.text(row.columns() - 1));
    if (!role) throw std::logic_error("memberships.role holds an unknown value");
    return {read(row), *role};
}

std::optional<Organisation> first(db::Rows rows) {
    if (rows.empty()) return {};
    return read(rows[0]);
}

}  // namespace

std::optional<Organisation> Organisations::find(const core::Uuid& id) {
    return first(connection_.query("SELECT " + columns() + " FROM organisations WHERE id = ?", {id}));
}

std::optional<Organisation> Organisations::find_by_slug(std::string_view slug) {
    return first(connection_.query("SELECT " + columns() + " FROM organisations WHERE slug = ?", {slug}));
}

std::vector<Organisation> Organisations::find(std::span<const core::Uuid> ids, std::span<const std::string> slugs,
                                              db::Locks locks) {
    std::map<core::Uuid, Organisation> found;
    // Without the index named a short table would be read as a whole, which waits for the rows of others.
    const auto look = [&](const std::string& column, const std::string& index, const std::vector<db::Value>& values) {
        if (values.empty()) return;
        auto rows = connection_.query("SELECT " + columns() + " FROM organisations FORCE INDEX (" + index + ") WHERE " + column +
                                          " IN (" + db::placeholders(values.size()) + ")" + std::string(ending(locks)),
                                      values);
        for (auto& row : rows) found.emplace(row.uuid(0), read(row));
    };
    look("id", "PRIMARY", {ids.begin(), ids.end()});
    look("slug", "organisations_slug", {slugs.begin(), slugs.end()});
    std::vector<Organisation> all;
    for (auto& [id, organisation] : found) all.push_back(std::move(organisation));
    return all;
}

std::vector<Account> Organisations::of_member(const core::Uuid& user_id, const std::optional<core::Uuid>& id) {
    auto rows = id ? connection_.query(select_account() + " AND m.organisation_id = ?", {user_id, *id})
                   : connection_.query(select_account() + " LIMIT 2", {user_id});
    std::vector<Account> accounts;
    for (auto& row : rows) accounts.push_back(read_account(row));
    return accounts;
}

std::optional<Account> Organisations::lock_for_member(const core::Uuid& user_id, const core::Uuid& id) {
    auto rows = connection_.query(select_account() + " AND m.organisation_id = ? FOR UPDATE", {user_id, id});
    if (rows.empty()) return {};
    return read_account(rows[0]);
}

void Organisations::change(const Organisation& organisation) {
    std::string assignments = "logo_upload_id = " + db::literal(db::Value(organisation.logo_upload_id)) +
                              ", logo_url = " + db::literal(db::Value(organisation.logo_url));
    for (const auto& field : organisation_fields()) {
        if (field.name == "published") continue;
        assignments.append(", ").append(fields::column_name(field)).append(" = ").append(fields::literal(field, organisation));
    }
    connection_.execute("UPDATE organisations SET " + assignments + " WHERE id = " + db::literal(organisation.id));
}

std::vector<Organisation> Organisations::after(std::optional<core::Uuid> id, int limit) {
    std::vector<Organisation> all;
    auto rows = connection_.query(
        "SELECT " + columns() + " FROM organisations" + (id ? " WHERE id > ?" : " WHERE ? IS NULL") + " ORDER BY id LIMIT ?",
        {id, limit});
    for (auto& row : rows) all.push_back(read(row));
    return all;
}

void Organisations::write(std::span<const Organisation> organisations) {
    if (organisations.empty()) return;
    const std::string names = "id, slug" + fields::columns(organisation_fields());
    db::BulkInsert rows(connection_, "organisations (" + names + ")", db::update_by_id(names));
    try {
        for (const auto& organisation : organisations) {
            std::string row = db::literal(organisation.id) + ", " + db::literal(organisation.slug);
            fields::append_literals(row, organisation_fields(), organisation);
            rows.add(row);
        }
        rows.flush();
    } catch (const db::Error& error) {
        if (error.code == 1048) throw db::Error(1062, "a slug is taken in organisations");
        throw;
    }
}

}  // namespace tradepost::identity
