// Writing what organisations publish: the part that jobs, events and posts share.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/connection.h"
#include "db/statement.h"
#include "domain/field.h"
#include "repo/bulk_writer.h"
#include "repo/collections.h"
#include "repo/listing.h"
#include "repo/row_counts.h"
#include "search/mysql_fulltext.h"

namespace tradepost::repo {
namespace detail {

template <class T>
std::string columns(std::span<const domain::Field<T>> fields, std::string_view prefix = "") {
    std::string list;
    for (const auto& field : fields) list.append(", ").append(prefix).append(column_name(field.name));
    return list;
}

inline std::string literal(const std::vector<std::string>& texts) {
    return db::literal(nlohmann::json(texts).dump());
}
inline std::string literal(const domain::TextMap& texts) {
    return db::literal(nlohmann::json(texts).dump());
}
template <class V>
std::string literal(const V& value) {
    return db::literal(db::Value(value));
}

inline void read(const db::Row& row, std::size_t at, std::string& into) {
    into = row.text(at);
}
inline void read(const db::Row& row, std::size_t at, std::optional<std::string>& into) {
    into = row.opt_text(at);
}
inline void read(const db::Row& row, std::size_t at, std::optional<std::int64_t>& into) {
    into = row.opt_integer(at);
}
inline void read(const db::Row& row, std::size_t at, bool& into) {
    into = row.boolean(at);
}
inline void read(const db::Row& row, std::size_t at, core::Time& into) {
    into = row.time(at);
}
inline void read(const db::Row& row, std::size_t at, std::optional<core::Time>& into) {
    into = row.opt_time(at);
}
inline void read(const db::Row& row, std::size_t at, std::vector<std::string>& into) {
    into = nlohmann::json::parse(row.text(at)).get<std::vector<std::string>>();
}
inline void read(const db::Row& row, std::size_t at, domain::TextMap& into) {
    into = nlohmann::json::parse(row.text(at)).get<domain::TextMap>();
}
inline void read(const db::Row& row, std::size_t at, std::optional<core::Uuid>& into) {
    into = row.opt_uuid(at);
}

inline const core::Uuid* organisation_id(const domain::OrganisationSummary& organisation) {
    return &organisation.id;
}
inline const core::Uuid* organisation_id(const std::optional<domain::OrganisationSummary>& organisation) {
    return organisation ? &organisation->id : nullptr;
}

// Whether each of these organisations is published, locked against a change until the transaction ends: `listed` repeats it.
// Adds to `known`. Throws std::runtime_error for an id that no organisation has.
void read_published(db::Connection& connection, const std::vector<core::Uuid>& ids, std::map<core::Uuid, bool>& known);

// "column = VALUES(column)" for each of "a, b, c", and an error (1048) instead of the update when the row that is in the way has
// another id: a slug that somebody else took meanwhile must never overwrite that row.
std::string update_by_id(const std::string& columns);

}  // namespace detail

// `Table` describes one kind: see job_writer.h. One object serves one transaction.
template <class Table>
class ContentWriter {
public:
    using Resource = typename Table::Resource;
    explicit ContentWriter(db::Connection& connection) : connection_(connection) {}

    // Inserts or updates by id, search rows and all derived columns included. Throws db::Error with is_duplicate_key() when a
    // slug is taken by another id, or an id meanwhile by somebody else: the whole transaction may then be tried again.
    void write(std::span<const Resource> items) {
        if (items.empty()) return;
        learn_published(items);
        const auto existing = counts_.forget(connection_, ids_of(items));
        const std::string names =
            "id, organisation_id, slug" + detail::columns(Table::fields()) + ", " + std::string(Table::derived) + "listed";
        BulkInsert added(connection_, std::string(Table::name) + " (" + names + ")");
        BulkInsert changed(connection_, std::string(Table::name) + " (" + names + ")", detail::update_by_id(names));
        try {
            for (const auto& item : items) (existing.contains(item.id) ? changed : added).add(row(item));
            changed.flush();
            added.flush();
        } catch (const db::Error& error) {
            if (error.code == 1048) throw db::Error(1062, std::string("a slug is taken in ") + std::string(Table::name));
            throw;
        }
        for (const auto& item : items) counts_.add(item, is_listed(item));
        write_search(items);
        if constexpr (requires { Table::write_more(connection_, items, std::vector<bool>{}); }) {
            std::vector<bool> listed;
            for (const auto& item : items) listed.push_back(is_listed(item));
            Table::write_more(connection_, items, listed);
        }
    }

    // What the caller knows from a row that it holds locked: saves write() to ask.
    void know_published(const core::Uuid& organisation_id, bool published) { published_[organisation_id] = published; }

    void remove(const core::Uuid& id) {
        counts_.forget(connection_, {id});
        connection_.execute("DELETE FROM " + std::string(Table::search) + " WHERE " + std::string(Table::search_id) + " = ?",
                            {id});
        connection_.execute("DELETE FROM " + std::string(Table::name) + " WHERE id = ?", {id});
    }

    // Says what readers will see of it: the counts and the list's version. Call it last: their rows stay locked until the commit.
    void finish() {
        counts_.write(connection_);
        touch(connection_, Table::name);
    }

    // The rows with any of these ids or slugs, in any state, whole, of their organisation only the id; locked until the
    // transaction ends, if there is one.
    std::vector<Resource> find(std::span<const core::Uuid> ids, std::span<const std::string> slugs) {
        std::map<core::Uuid, Resource> found;
        const auto look = [&](const char* column, std::span<const db::Value> values) {
            if (values.empty()) return;
            const auto rows = connection_.query(
                "SELECT t.id, t.slug, t.organisation_id, NULL, NULL, NULL" + detail::columns(Table::fields(), "t.") + " FROM " +
                    std::string(Table::name) + " t WHERE t." + column + " IN (" + placeholders(values.size()) + ") FOR UPDATE",
                values);
            for (const auto& row : rows) found.emplace(row.uuid(0), read(row));
        };
        look("id", std::vector<db::Value>(ids.begin(), ids.end()));
        look("slug", std::vector<db::Value>(slugs.begin(), slugs.end()));
        std::vector<Resource> all;
        for (auto& [id, item] : found) all.push_back(std::move(item));
        return all;
    }

    // At most `limit` rows in the order of their ids, those behind `id` only: everything, page by page.
    std::vector<Resource> after(std::optional<core::Uuid> id, int limit) {
        const auto rows = connection_.query("SELECT t.id, t.slug, " + std::string(organisation_columns) +
                                                detail::columns(Table::fields(), "t.") + " FROM " + std::string(Table::name) +
                                                " t LEFT JOIN organisations o ON o.id = t.organisation_id WHERE " +
                                                (id ? "t.id > ?" : "? IS NULL") + " ORDER BY t.id LIMIT ?",
                                            {id, limit});
        std::vector<Resource> all;
        for (const auto& row : rows) all.push_back(read(row));
        return all;
    }

private:
    static std::vector<core::Uuid> ids_of(std::span<const Resource> items) {
        std::vector<core::Uuid> ids;
        for (const auto& item : items) ids.push_back(item.id);
        return ids;
    }

    static Resource read(const db::Row& row) {
        Resource item;
        item.id = row.uuid(0);
        item.slug = row.text(1);
        if (!row.is_null(2))
            item.organisation = domain::OrganisationSummary{row.uuid(2), row.opt_text(3).value_or(""),
                                                            row.opt_text(4).value_or(""), row.opt_text(5)};
        std::size_t at = 6;
        for (const auto& field : Table::fields())
            std::visit([&](auto member) { detail::read(row, at++, item.*member); }, field.member);
        return item;
    }

    void learn_published(std::span<const Resource> items) {
        std::vector<core::Uuid> unknown;
        for (const auto& item : items)
            if (const auto* id = detail::organisation_id(item.organisation); id && !published_.contains(*id))
                unknown.push_back(*id);
        detail::read_published(connection_, unknown, published_);
    }

    bool is_listed(const Resource& item) const {
        const auto* id = detail::organisation_id(item.organisation);
        return Table::is_public(item) && (!id || published_.at(*id));
    }

    std::string row(const Resource& item) const {
        const auto* organisation = detail::organisation_id(item.organisation);
        std::string row =
            db::literal(item.id) + ", " + (organisation ? db::literal(*organisation) : "NULL") + ", " + db::literal(item.slug);
        for (const auto& field : Table::fields())
            std::visit([&](auto member) { row.append(", ").append(detail::literal(item.*member)); }, field.member);
        row += ", ";
        Table::append_derived(row, item);
        row += is_listed(item) ? "1" : "0";
        return row;
    }

    void write_search(std::span<const Resource> items) {
        const std::string id(Table::search_id);
        BulkInsert rows(connection_, std::string(Table::search) + " (" + id + ", tokens)", "tokens = VALUES(tokens)");
        for (const auto& item : items)
            rows.add(db::literal(item.id) + ", " + db::literal(search::index_tokens(Table::searched(item))));
        rows.flush();
    }

    db::Connection& connection_;
    std::map<core::Uuid, bool> published_;
    RowCounts<Table> counts_;
};

// For `append_derived` (which ends with a comma, as `derived` does, when there is anything): the folded text that a filter
// compares, as SQL; NULL for none.
std::string key_literal(const std::optional<std::string>& text);

}  // namespace tradepost::repo
