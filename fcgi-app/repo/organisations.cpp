#include "repo/organisations.h"

#include <map>
#include <stdexcept>

#include "repo/collections.h"
#include "repo/event_writer.h"
#include "repo/job_writer.h"
#include "repo/post_writer.h"

namespace tradepost::repo {
namespace {

const std::string& columns() {
    static const std::string list = "id, slug, logo_upload_id, logo_url" + detail::columns(domain::organisation_fields());
    return list;
}

// The membership is read first, as Ownership does: who locks in one order cannot be each other's deadlock.
const std::string& select_account() {
    static const std::string statement =
        "SELECT o.id, o.slug, o.logo_upload_id, o.logo_url" + detail::columns(domain::organisation_fields(), "o.") +
        ", m.role FROM memberships m STRAIGHT_JOIN organisations o ON o.id = m.organisation_id WHERE m.user_id = ?";
    return statement;
}

domain::Organisation read(const db::Row& row) {
    domain::Organisation organisation;
    organisation.id = row.uuid(0);
    organisation.slug = row.text(1);
    organisation.logo_upload_id = row.opt_uuid(2);
    organisation.logo_url = row.opt_text(3);
    std::size_t at = 4;
    for (const auto& field : domain::organisation_fields())
        std::visit([&](auto member) { detail::read(row, at++, organisation.*member); }, field.member);
    return organisation;
}

Account read_account(const db::Row& row) {
    const auto role = domain::parse_role(row.text(row.columns() - 1));
    if (!role) throw std::logic_error("memberships.role holds an unknown value");
    return {read(row), *role};
}

std::optional<domain::Organisation> first(const db::Rows& rows) {
    if (rows.empty()) return {};
    return read(rows[0]);
}

// Brings `listed` of what these organisations published up to date, to what `listed` says. Rows that are right already are only
// read.
template <class Table>
void relist(db::Connection& connection, const std::vector<db::Value>& ids, const std::string& listed) {
    const auto joined = std::string(Table::name) + " t JOIN organisations o ON o.id = t.organisation_id";
    const auto where = " WHERE o.id IN (" + placeholders(ids.size()) + ") AND t.listed <> (" + listed + ")";
    CountChanges changes(Table::name);
    if constexpr (requires { typename Table::Counted; }) {
        for (const auto& row : connection.query(
                 "SELECT " + std::string(Table::Counted::columns) + " FROM " + joined + where + " FOR UPDATE", ids)) {
            auto item = Table::Counted::read(row, 0);
            count(changes, item, -1);
            item.listed = !item.listed;
            count(changes, item, +1);
        }
    }
    connection.execute("UPDATE " + joined + " SET t.listed = (" + listed + ")" + where, ids);
    changes.write(connection);
}

void relist(db::Connection& connection, const std::vector<db::Value>& ids) {
    relist<EventTable>(connection, ids, "t.published_at IS NOT NULL AND o.published = 1");
    relist<PostTable>(connection, ids, "t.published_at IS NOT NULL AND o.published = 1");
    connection.execute(
        "UPDATE post_tags g JOIN posts t ON t.id = g.post_id SET g.listed = t.listed WHERE t.organisation_id IN (" +
            placeholders(ids.size()) + ") AND g.listed <> t.listed",
        ids);
    relist<JobTable>(connection, ids, "t.status = 'PUBLISHED' AND o.published = 1");
}

// Lists show the organisation's name and logo too.
void touch_what_shows_organisations(db::Connection& connection) {
    for (const auto collection : {jobs_collection, events_collection, posts_collection}) touch(connection, collection);
}

}  // namespace

std::optional<domain::Organisation> Organisations::find(const core::Uuid& id) {
    return first(connection_.query("SELECT " + columns() + " FROM organisations WHERE id = ?", {id}));
}

std::optional<domain::Organisation> Organisations::find_by_slug(std::string_view slug) {
    return first(connection_.query("SELECT " + columns() + " FROM organisations WHERE slug = ?", {slug}));
}

std::vector<domain::Organisation> Organisations::find(std::span<const core::Uuid> ids, std::span<const std::string> slugs) {
    std::map<core::Uuid, domain::Organisation> found;
    const auto look = [&](const char* column, const std::vector<db::Value>& values) {
        if (values.empty()) return;
        const auto rows = connection_.query("SELECT " + columns() + " FROM organisations WHERE " + column + " IN (" +
                                                placeholders(values.size()) + ") FOR UPDATE",
                                            values);
        for (const auto& row : rows) found.emplace(row.uuid(0), read(row));
    };
    look("id", {ids.begin(), ids.end()});
    look("slug", {slugs.begin(), slugs.end()});
    std::vector<domain::Organisation> all;
    for (auto& [id, organisation] : found) all.push_back(std::move(organisation));
    return all;
}

std::vector<Account> Organisations::of_member(const core::Uuid& user_id, const std::optional<core::Uuid>& id) {
    const auto rows = id ? connection_.query(select_account() + " AND m.organisation_id = ?", {user_id, *id})
                         : connection_.query(select_account() + " LIMIT 2", {user_id});
    std::vector<Account> accounts;
    for (const auto& row : rows) accounts.push_back(read_account(row));
    return accounts;
}

std::optional<Account> Organisations::lock_for_member(const core::Uuid& user_id, const core::Uuid& id) {
    const auto rows = connection_.query(select_account() + " AND m.organisation_id = ? FOR UPDATE", {user_id, id});
    if (rows.empty()) return {};
    return read_account(rows[0]);
}

void Organisations::change(const domain::Organisation& organisation, bool summary_changed) {
    std::string assignments = "logo_upload_id = " + db::literal(db::Value(organisation.logo_upload_id)) +
                              ", logo_url = " + db::literal(db::Value(organisation.logo_url));
    for (const auto& field : domain::organisation_fields()) {
        if (field.name == "published") continue;
        std::visit(
            [&](auto member) {
                assignments.append(", ")
                    .append(column_name(field.name))
                    .append(" = ")
                    .append(detail::literal(organisation.*member));
            },
            field.member);
    }
    connection_.execute("UPDATE organisations SET " + assignments + " WHERE id = " + db::literal(organisation.id));
    if (summary_changed) touch_what_shows_organisations(connection_);
}

std::vector<domain::Organisation> Organisations::after(std::optional<core::Uuid> id, int limit) {
    std::vector<domain::Organisation> all;
    const auto rows = connection_.query(
        "SELECT " + columns() + " FROM organisations" + (id ? " WHERE id > ?" : " WHERE ? IS NULL") + " ORDER BY id LIMIT ?",
        {id, limit});
    for (const auto& row : rows) all.push_back(read(row));
    return all;
}

void Organisations::write(std::span<const domain::Organisation> organisations) {
    if (organisations.empty()) return;
    const std::string names = "id, slug" + detail::columns(domain::organisation_fields());
    BulkInsert rows(connection_, "organisations (" + names + ")", detail::update_by_id(names));
    std::vector<db::Value> ids;
    try {
        for (const auto& organisation : organisations) {
            ids.emplace_back(organisation.id);
            std::string row = db::literal(organisation.id) + ", " + db::literal(organisation.slug);
            for (const auto& field : domain::organisation_fields())
                std::visit([&](auto member) { row.append(", ").append(detail::literal(organisation.*member)); }, field.member);
            rows.add(row);
        }
        rows.flush();
    } catch (const db::Error& error) {
        if (error.code == 1048) throw db::Error(1062, "a slug is taken in organisations");
        throw;
    }
    relist(connection_, ids);
    touch_what_shows_organisations(connection_);
}

bool Organisations::set_published(const core::Uuid& id, bool published, core::Time now) {
    return db::in_transaction(connection_, [&] {
        auto found = find(std::span(&id, 1), {});
        if (found.empty()) return false;
        if (found[0].published == published) return true;
        found[0].published = published;
        found[0].updated_at = now;
        write(found);
        return true;
    });
}

}  // namespace tradepost::repo
