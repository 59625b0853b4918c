// Writing what organisations publish: the part that jobs, events and posts share.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/bulk_insert.h"
#include "db/connection.h"
#include "fields/rows.h"
#include "identity/organisation_columns.h"
#include "search/tokens.h"
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

// What rows repeat of their organisation.
struct Publisher {
    bool published;    // `listed`
    std::string name;  // the words of a row
};

// Reads these organisations, and locks them against a change until the transaction ends. Adds to `known`. Throws std::runtime_error for
// an id that no organisation has.
void read_publishers(db::Connection& connection, const std::vector<core::Uuid>& ids, std::map<core::Uuid, Publisher>& known);

}  // namespace detail

// Rows that are also found by the name of their organisation.
template <class Table>
concept searched_by_name = requires {
    requires Table::searched_by_name;
};

// Rows that an organisation may give references of its own, which are unique in it.
template <class Table>
concept has_references = requires {
    requires Table::has_references;
};

// `Table` describes one kind: see resources/jobs/writer.h.
template <class Table>
class ContentWriter {
public:
    using Resource = typename Table::Resource;
    explicit ContentWriter(WriteTransaction& transaction) : transaction_(transaction), connection_(transaction.connection()) {}

    // Inserts or updates by id, search rows and all derived columns included. Throws db::Error with is_duplicate_key() when a
    // slug or a reference is taken by another id, or an id meanwhile by somebody else: the whole transaction may then be tried again.
    void write(std::span<const Resource> items) {
        if (items.empty()) return;
        learn_publishers(items);
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
            if (error.code == 1048)
                throw db::Error(1062, std::string("a slug or a reference is taken in ") + std::string(Table::name));
            throw;
        }
        for (const auto& item : items) Table::counted().count(counts(), counted(item), +1);
        write_words(items);
        if constexpr (requires { Table::write_more(connection_, items, std::vector<bool>{}); }) {
            std::vector<bool> listed;
            for (const auto& item : items) listed.push_back(is_listed(item));
            Table::write_more(connection_, items, listed);
        }
        for (const auto& item : items) {
            const auto* id = detail::organisation_id(item.organisation);
            transaction_.record(Table::name, item.id, id ? std::optional(*id) : std::nullopt, changes::Kind::written);
        }
        transaction_.changed(Table::name);
    }

    // What the caller knows from a row that it holds locked: saves write() to ask.
    void know(const identity::OrganisationSummary& organisation, bool published) {
        publishers_[organisation.id] = {published, organisation.name};
    }

    // Writes the words of these rows again, which find() has locked.
    void write_words(std::span<const Resource> items) {
        if (items.empty()) return;
        learn_publishers(items);
        const std::string id(Table::search_id);
        // MySQL 9.7 loses all rows but the last one from its full text where an ON DUPLICATE KEY UPDATE of several rows updates one.
        if (items.size() > 1) {
            const auto ids = ids_of(items);
            connection_.execute(
                "DELETE FROM " + std::string(Table::search) + " WHERE " + id + " IN (" + db::placeholders(ids.size()) + ")",
                std::vector<db::Value>(ids.begin(), ids.end()));
        }
        db::BulkInsert rows(connection_, std::string(Table::search) + " (" + id + ", tokens)", "tokens = VALUES(tokens)");
        for (const auto& item : items) rows.add(db::literal(item.id) + ", " + db::literal(search::index_tokens(texts(item))));
        rows.flush();
    }

    void remove(const core::Uuid& id) {
        const auto existing = uncount({id});
        connection_.execute("DELETE FROM " + std::string(Table::search) + " WHERE " + std::string(Table::search_id) + " = ?",
                            {id});
        connection_.execute("DELETE FROM " + std::string(Table::name) + " WHERE id = ?", {id});
        for (const auto& [row, organisation_id] : existing)
            transaction_.record(Table::name, row, organisation_id, changes::Kind::removed);
        transaction_.changed(Table::name);
    }

    // The rows with any of these ids or slugs, in any state, whole, of their organisation only the id; locked until the
    // transaction ends.
    std::vector<Resource> find(std::span<const core::Uuid> ids, std::span<const std::string> slugs) {
        std::map<core::Uuid, Resource> found;
        const auto look = [&](const std::string& column, std::span<const db::Value> values) {
            if (values.empty()) return;
            for (auto& item : lock("WHERE t." + column + " IN (" + db::placeholders(values.size()) + ")", values))
                found.emplace(item.id, std::move(item));
        };
        look("id", std::vector<db::Value>(ids.begin(), ids.end()));
        look("slug", std::vector<db::Value>(slugs.begin(), slugs.end()));
        std::vector<Resource> all;
        for (auto& [id, item] : found) all.push_back(std::move(item));
        return all;
    }

    // The same by the references of one organisation.
    std::vector<Resource> find_by_reference(const core::Uuid& organisation_id,
                                            std::span<const std::string> references) requires has_references<Table> {
        if (references.empty()) return {};
        std::vector<db::Value> values{organisation_id};
        for (const auto& reference : references) values.emplace_back(db::Binary{reference});
        return lock("FORCE INDEX (" + reference_index + ") WHERE t.organisation_id = ? AND t.reference IN (" +
                        db::placeholders(references.size()) + ")",
                    values);
    }

    bool reference_exists(const core::Uuid& organisation_id, const std::string& reference) requires has_references<Table> {
        return !connection_
                    .query("SELECT 1 FROM " + std::string(Table::name) + " FORCE INDEX (" + reference_index +
                               ") WHERE organisation_id = ? AND reference = ?",
                           {organisation_id, db::Binary{reference}})
                    .empty();
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
    inline static const std::string reference_index = std::string(Table::name) + "_reference";

    // The rows of `t` that a condition finds, locked.
    std::vector<Resource> lock(const std::string& condition, std::span<const db::Value> values) {
        auto rows = connection_.query("SELECT t.id, t.slug, t.organisation_id, NULL, NULL, NULL" +
                                          fields::columns<Resource>(Table::fields(), "t.") + " FROM " + std::string(Table::name) +
                                          " t " + condition + " FOR UPDATE",
                                      values);
        std::vector<Resource> all;
        for (auto& row : rows) all.push_back(read(row));
        return all;
    }

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

    // Takes off what the rows of `ids` count as now, and locks them. Returns the ids that have a row, with its organisation.
    std::map<core::Uuid, std::optional<core::Uuid>> uncount(const std::vector<core::Uuid>& ids) {
        const std::vector<db::Value> values(ids.begin(), ids.end());
        std::map<core::Uuid, std::optional<core::Uuid>> existing;
        for (const auto& row :
             connection_.query("SELECT id, organisation_id, " + Table::counted().columns() + " FROM " + std::string(Table::name) +
                                   " FORCE INDEX (PRIMARY) WHERE id IN (" + db::placeholders(values.size()) + ") FOR UPDATE",
                               values)) {
            existing.emplace(row.uuid(0), row.opt_uuid(1));
            Table::counted().count(counts(), Table::counted().read(row, 2), -1);
        }
        return existing;
    }

    void learn_publishers(std::span<const Resource> items) {
        std::vector<core::Uuid> unknown;
        for (const auto& item : items)
            if (const auto* id = detail::organisation_id(item.organisation); id && !publishers_.contains(*id))
                unknown.push_back(*id);
        detail::read_publishers(connection_, unknown, publishers_);
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
        return Table::is_public(item) && (!id || publishers_.at(*id).published);
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

    std::vector<std::string_view> texts(const Resource& item) const {
        auto all = Table::searched(item);
        if constexpr (searched_by_name<Table>) all.push_back(publishers_.at(*detail::organisation_id(item.organisation)).name);
        return all;
    }

    WriteTransaction& transaction_;
    db::Connection& connection_;
    std::map<core::Uuid, detail::Publisher> publishers_;
};

}  // namespace tradepost::writes
