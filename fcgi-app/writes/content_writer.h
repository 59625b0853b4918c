// Writing what organisations publish: the part that jobs, events and posts share.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "db/bulk_insert.h"
#include "db/connection.h"
#include "fields/rows.h"
#include "identity/organisation_columns.h"
#include "search/mysql_fulltext.h"
#include "writes/derived.h"
#include "writes/transaction.h"

namespace tradepost::writes {
namespace detail {

inline const core::Uuid* organisation_id(const identity::OrganisationSummary& organisation) {
    return &organisation.id;
}
inline const core::Uuid* organisation_id(const std::optional<identity::OrganisationSummary>& organisation) {
    return organisation ? &organisation->id : nullptr;
}

// Whether each of these organisations is published, locked against a change until the transaction ends: `listed` repeats it.
// Adds to `known`. Throws std::runtime_error for an id that no organisation has.
void read_published(db::Connection& connection, const std::vector<core::Uuid>& ids, std::map<core::Uuid, bool>& known);

}  // namespace detail

// `Table` describes one kind: see resources/jobs/writer.h.
template <class Table>
class ContentWriter {
public:
    using Resource = typename Table::Resource;
    explicit ContentWriter(WriteTransaction& transaction) : transaction_(transaction), connection_(transaction.connection()) {}

    // Inserts or updates by id, search rows and all derived columns included. Throws db::Error with is_duplicate_key() when a
    // slug is taken by another id, or an id meanwhile by somebody else: the whole transaction may then be tried again.
    void write(std::span<const Resource> items) {
        if (items.empty()) return;
        learn_published(items);
        const auto existing = uncount(ids_of(items));
        const std::string names = "id, organisation_id, slug" + fields::columns<Resource>(Table::fields()) +
                                  columns<Resource>(Table::derived()) + ", " + "listed";
        db::BulkInsert added(connection_, std::string(Table::name) + " (" + names + ")");
        db::BulkInsert changed(connection_, std::string(Table::name) + " (" + names + ")", db::update_by_id(names));
        try {
            for (const auto& item : items) (existing.contains(item.id) ? changed : added).add(row(item));
            changed.flush();
            added.flush();
        } catch (const db::Error& error) {
            if (error.code == 1048) throw db::Error(1062, std::string("a slug is taken in ") + std::string(Table::name));
            throw;
        }
        for (const auto& item : items) Table::counted().count(counts(), counted(item), +1);
        if constexpr (searched) write_search(items);
        if constexpr (requires { Table::write_more(connection_, items, std::vector<bool>{}); }) {
            std::vector<bool> listed;
            for (const auto& item : items) listed.push_back(is_listed(item));
            Table::write_more(connection_, items, listed);
        }
        transaction_.changed(Table::name);
    }

    // What the caller knows from a row that it holds locked: saves write() to ask.
    void know_published(const core::Uuid& organisation_id, bool published) { published_[organisation_id] = published; }

    void remove(const core::Uuid& id) {
        uncount({id});
        if constexpr (searched)
            connection_.execute("DELETE FROM " + std::string(Table::search) + " WHERE " + std::string(Table::search_id) + " = ?",
                                {id});
        connection_.execute("DELETE FROM " + std::string(Table::name) + " WHERE id = ?", {id});
        transaction_.changed(Table::name);
    }

    // The rows with any of these ids or slugs, in any state, whole, of their organisation only the id; locked until the
    // transaction ends.
    std::vector<Resource> find(std::span<const core::Uuid> ids, std::span<const std::string> slugs) {
        std::map<core::Uuid, Resource> found;
        const auto look = [&](const char* column, std::span<const db::Value> values) {
            if (values.empty()) return;
            auto rows =
                connection_.query("SELECT t.id, t.slug, t.organisation_id, NULL, NULL, NULL" +
                                      fields::columns<Resource>(Table::fields(), "t.") + " FROM " + std::string(Table::name) +
                                      " t WHERE t." + column + " IN (" + db::placeholders(values.size()) + ") FOR UPDATE",
                                  values);
            for (auto& row : rows) found.emplace(row.uuid(0), read(row));
        };
        look("id", std::vector<db::Value>(ids.begin(), ids.end()));
        look("slug", std::vector<db::Value>(slugs.begin(), slugs.end()));
        std::vector<Resource> all;
        for (auto& [id, item] : found) all.push_back(std::move(item));
        return all;
    }

    // At most `limit` rows in the order of their ids, those behind `id` only: everything, page by page.
    static std::vector<Resource> after(db::Connection& connection, std::optional<core::Uuid> id, int limit) {
        auto rows = connection.query("SELECT t.id, t.slug, " + std::string(identity::organisation_columns) +
                                         fields::columns<Resource>(Table::fields(), "t.") + " FROM " + std::string(Table::name) +
                                         " t LEFT JOIN organisations o ON o.id = t.organisation_id WHERE " +
                                         (id ? "t.id > ?" : "? IS NULL") + " ORDER BY t.id LIMIT ?",
                                     {id, limit});
        std::vector<Resource> all;
        for (auto& row : rows) all.push_back(read(row));
        return all;
    }

private:
    static constexpr bool searched = requires { Table::search; };

    static std::vector<core::Uuid> ids_of(std::span<const Resource> items) {
        std::vector<core::Uuid> ids;
        for (const auto& item : items) ids.push_back(item.id);
        return ids;
    }

    static Resource read(db::Row& row) {
        Resource item;
        item.id = row.uuid(0);
        item.slug = row.text(1);
        if (!row.is_null(2))
            item.organisation = identity::OrganisationSummary{row.uuid(2), row.opt_text(3).value_or(""),
                                                              row.opt_text(4).value_or(""), row.opt_text(5)};
        fields::read_columns<Resource>(row, 6, Table::fields(), item);
        return item;
    }

    lists::CountChanges& counts() { return transaction_.counts(Table::name); }

    // Takes off what the rows of `ids` count as now, and locks them. Returns the ids that have a row.
    std::set<core::Uuid> uncount(const std::vector<core::Uuid>& ids) {
        const std::vector<db::Value> values(ids.begin(), ids.end());
        std::set<core::Uuid> existing;
        for (const auto& row :
             connection_.query("SELECT id, " + Table::counted().columns() + " FROM " + std::string(Table::name) +
                                   " FORCE INDEX (PRIMARY) WHERE id IN (" + db::placeholders(values.size()) + ") FOR UPDATE",
                               values)) {
            existing.insert(row.uuid(0));
            Table::counted().count(counts(), Table::counted().read(row, 1), -1);
        }
        return existing;
    }

    void learn_published(std::span<const Resource> items) {
        std::vector<core::Uuid> unknown;
        for (const auto& item : items)
            if (const auto* id = detail::organisation_id(item.organisation); id && !published_.contains(*id))
                unknown.push_back(*id);
        detail::read_published(connection_, unknown, published_);
    }

    lists::CountedRow counted(const Resource& item) const {
        return Table::counted().of([&](std::string_view column) -> lists::Cell {
            if (column == lists::listed) return cell(is_listed(item));
            if (column != "organisation_id") return cell<Resource>(column, Table::fields(), Table::derived(), item);
            const auto* id = detail::organisation_id(item.organisation);
            return id ? cell(*id) : lists::Cell();
        });
    }

    bool is_listed(const Resource& item) const {
        const auto* id = detail::organisation_id(item.organisation);
        return Table::is_public(item) && (!id || published_.at(*id));
    }

    std::string row(const Resource& item) const {
        const auto* organisation = detail::organisation_id(item.organisation);
        std::string row =
            db::literal(item.id) + ", " + (organisation ? db::literal(*organisation) : "NULL") + ", " + db::literal(item.slug);
        fields::append_literals<Resource>(row, Table::fields(), item);
        append_literals<Resource>(row, Table::derived(), item);
        row += is_listed(item) ? ", 1" : ", 0";
        return row;
    }

    void write_search(std::span<const Resource> items) requires searched {
        const std::string id(Table::search_id);
        db::BulkInsert rows(connection_, std::string(Table::search) + " (" + id + ", tokens)", "tokens = VALUES(tokens)");
        for (const auto& item : items)
            rows.add(db::literal(item.id) + ", " + db::literal(search::index_tokens(Table::searched(item))));
        rows.flush();
    }

    WriteTransaction& transaction_;
    db::Connection& connection_;
    std::map<core::Uuid, bool> published_;
};

}  // namespace tradepost::writes
