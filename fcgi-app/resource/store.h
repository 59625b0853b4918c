// Writes items of any described resource, with all effects of a write: the row, `listed`, kept counts, words, the change log, versions,
// history, webhooks and the list of deletions. No other code has these effects.
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audit/record.h"
#include "db/bulk_insert.h"
#include "db/connection.h"
#include "db/sql.h"
#include "fields/differences.h"
#include "resource/rows.h"
#include "webhooks/announce.h"
#include "writes/deletions.h"
#include "writes/history.h"

namespace tradepost::resource {

// Another item of the organisation has the reference. As a duplicate key it lets writes::write() begin again.
class ReferenceTaken : public db::Error {
public:
    using db::Error::Error;
};

// Throws ReferenceTaken for a duplicate key that is a reference's, and db::Error with is_duplicate_key() for that of a slug or an id.
[[noreturn]] void refuse_duplicate(const db::Error& error, std::string_view table, std::string_view reference_index);

// An organisation as its items repeat it.
struct Publisher {
    identity::OrganisationSummary summary;
    bool published;
};

// Reads these organisations, and locks them against a change until the transaction ends. Adds to `known`. Throws std::runtime_error for
// an id that no organisation has.
void read_publishers(db::Connection& connection, const std::vector<core::Uuid>& ids, std::map<core::Uuid, Publisher>& known);

template <class T>
class Store {
public:
    explicit Store(writes::WriteTransaction& transaction) : transaction_(transaction), connection_(transaction.connection()) {}

    static const lists::CountedTable& counted() {
        static const auto table = [] {
            std::vector<const lists::List*> lists;
            if (is().public_list) lists.push_back(&is().public_list());
            lists.push_back(&is().member_list());
            return lists::CountedTable(lists);
        }();
        return table;
    }

    // Tells the store of an organisation whose row the caller holds locked, so that write() need not read it.
    void know(const identity::OrganisationSummary& organisation, bool published) {
        publishers_[organisation.id] = {organisation, published};
    }

    // The items with any of these ids or slugs, in any state, whole, of their organisation only the id; locked until the transaction ends.
    std::vector<T> find(std::span<const core::Uuid> ids, std::span<const std::string> slugs = {}) {
        return find(connection_, ids, slugs, db::Locks::rows);
    }
    static std::vector<T> find(db::Connection& connection, std::span<const core::Uuid> ids, std::span<const std::string> slugs,
                               db::Locks locks) {
        // Without the index named a short table would be read as a whole, which waits for the rows of others.
        auto found = find_by(connection, "PRIMARY", "t.id IN (", std::vector<db::Value>(ids.begin(), ids.end()), locks);
        if constexpr (has_slug<T>)
            for (auto& item : find_by(connection, std::string(is().table) + "_slug", "t.slug IN (",
                                      std::vector<db::Value>(slugs.begin(), slugs.end()), locks))
                if (std::find(ids.begin(), ids.end(), item.id) == ids.end()) found.push_back(std::move(item));
        return found;
    }

    // The same by the references of one organisation.
    std::vector<T> find_by_reference(const core::Uuid& organisation_id, std::span<const std::string> references) {
        return find_by_reference(connection_, organisation_id, references, db::Locks::rows);
    }
    static std::vector<T> find_by_reference(db::Connection& connection, const core::Uuid& organisation_id,
                                            std::span<const std::string> references, db::Locks locks) {
        if (references.empty()) return {};
        std::vector<db::Value> values;
        for (const auto& reference : references) values.emplace_back(db::Binary{reference});
        values.emplace_back(organisation_id);
        return select<T>(connection,
                         "FORCE INDEX (" + std::string(is().reference_index) + ") WHERE t.reference IN (" +
                             db::placeholders(references.size()) + ") AND t.organisation_id = ?",
                         values, true, locks);
    }

    bool reference_exists(const core::Uuid& organisation_id, const std::string& reference) {
        return !connection_
                    .query("SELECT 1 FROM " + std::string(is().table) + " FORCE INDEX (" + std::string(is().reference_index) +
                               ") WHERE organisation_id = ? AND reference = ?",
                           {organisation_id, db::Binary{reference}})
                    .empty();
    }

    // At most `limit` items in the order of their ids, those behind `id` only, as they are shown: everything, page by page.
    static std::vector<T> after(db::Connection& connection, std::optional<core::Uuid> id, int limit) {
        return select<T>(connection,
                         "FORCE INDEX (PRIMARY)" + std::string(joins<T>()) + " WHERE " + (id ? "t.id > ?" : "? IS NULL") +
                             " ORDER BY t.id LIMIT ?",
                         std::array{db::Value(id), db::Value(limit)}, false);
    }

    // Inserts the items, or writes them over those of `rows` that have their ids; what they name elsewhere was resolved (Hooks::resolve).
    // `rows` are find()'s. Where `updatedAt` is as it was, the row is only derived anew, and nobody is told. Throws ReferenceTaken,
    // and db::Error with is_duplicate_key() when a slug or an id is taken by somebody else: the whole transaction may then be tried again.
    void write(std::span<T> items, std::span<const T> rows = {}) {
        if (items.empty()) return;
        learn_publishers(items);
        if constexpr (is_public_kind<T>)
            for (auto& item : items) item.listed = is_listed(item);
        const auto before = match(items, rows);
        write_rows(items, before);
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (before[i]) count(*before[i], -1);
            count(items[i], +1);
        }
        std::vector<const T*> worded;
        for (std::size_t i = 0; i < items.size(); ++i)
            if (!is_changed(items[i], before[i]) || !before[i] || tokens(items[i]) != tokens(*before[i]))
                worded.push_back(&items[i]);
        write_words(worded);
        if (is().hooks.after_write) is().hooks.after_write(connection_, items, before);
        announce(items, before);
        record_history(items, before);
        for (const auto& item : items) record(item, changes::Kind::written);
        transaction_.changed(is().name);
    }

    // Writes the words of these items again, which find() has locked.
    void write_words(std::span<const T> items) {
        learn_publishers(items);
        std::vector<const T*> all;
        for (const auto& item : items) all.push_back(&item);
        write_words(all);
    }

    // `item` is find()'s; `now` is later than all polls of its organisation, which is locked.
    void remove(const T& item, core::Time now) {
        if (is().hooks.before_remove) is().hooks.before_remove(connection_, item, now);
        const auto& words = is().words.searched;
        connection_.execute("DELETE FROM " + std::string(words.table) + " WHERE " + std::string(words.id) + " = ?", {item.id});
        connection_.execute("DELETE FROM " + std::string(is().table) + " WHERE id = ?", {item.id});
        count(item, -1);
        record(item, changes::Kind::removed);
        if (const auto* organisation = owner(item)) {
            std::optional<std::string> known_as;
            if (const auto* text = reference(item)) known_as = *text;
            writes::record_deletion(transaction_, {is().name, item.id, *organisation, known_as, now});
            webhooks::announce(connection_, is().changed,
                               webhooks::deletion(is().deleted, item.id, *organisation, known_as, now));
        }
        transaction_.changed(is().name);
    }

    // Brings `listed` and the counts of what these organisations publish up to date. `published`: whether each of them is, which the
    // transaction holds locked. Rows that are right already are only read.
    void relist(const std::map<core::Uuid, bool>& published) {
        std::vector<db::Value> values;
        std::string shown;
        for (const auto& [id, is_published] : published) values.emplace_back(id);
        for (const auto& [id, is_published] : published) {
            if (!is_published) continue;
            shown += shown.empty() ? "?" : ", ?";
            values.emplace_back(id);
        }
        const auto listed = shown.empty() ? "0" : "(" + listed_sql(is()) + " AND organisation_id IN (" + shown + "))";
        // All rows of an organisation may take longer than Connection::longest_lock_wait().
        constexpr std::chrono::hours any_time{1};
        flip_listed(connection_.query_within(any_time,
                                             "SELECT id, organisation_id, " + counted().columns() + " FROM " +
                                                 std::string(is().table) + " FORCE INDEX (" + std::string(is().owner_index) +
                                                 ") WHERE organisation_id IN (" + db::placeholders(published.size()) +
                                                 ") AND listed <> " + listed + " FOR UPDATE",
                                             values));
    }

    // Takes rows into the lists of the public, or out of them. `rows`: id, organisation_id and counted().columns(), locked.
    void flip_listed(const db::Rows& rows) {
        const auto& table = counted();
        auto& changes = transaction_.counts(is().table);
        // The rows that were counted and no others, whatever a condition would find by now.
        std::vector<db::Value> ids;
        const auto flip = [&] {
            if (ids.empty()) return;
            connection_.execute("UPDATE " + std::string(is().table) +
                                    " FORCE INDEX (PRIMARY) SET listed = 1 - listed WHERE id IN (" +
                                    db::placeholders(ids.size()) + ")",
                                ids);
            if (is().hooks.after_relist) is().hooks.after_relist(connection_, ids);
            ids.clear();
        };
        for (const auto& row : rows) {
            auto item = table.read(row, 2);
            table.count(changes, item, -1);
            table.set_listed(item, !table.is_listed(item));
            table.count(changes, item, +1);
            ids.emplace_back(row.uuid(0));
            transaction_.record(is().name, row.uuid(0), row.opt_uuid(1), changes::Kind::written);
            if (ids.size() == 500) flip();
        }
        flip();
    }

private:
    static const Description<T>& is() { return T::described(); }

    static std::vector<T> find_by(db::Connection& connection, const std::string& index, const std::string& condition,
                                  const std::vector<db::Value>& values, db::Locks locks) {
        if (values.empty()) return {};
        return select<T>(connection, "FORCE INDEX (" + index + ") WHERE " + condition + db::placeholders(values.size()) + ")",
                         values, true, locks);
    }

    static std::vector<const T*> match(std::span<const T> items, std::span<const T> rows) {
        std::map<core::Uuid, const T*> by_id;
        for (const auto& row : rows) by_id[row.id] = &row;
        std::vector<const T*> before;
        for (const auto& item : items) {
            const auto found = by_id.find(item.id);
            before.push_back(found == by_id.end() ? nullptr : found->second);
        }
        return before;
    }

    static bool is_changed(const T& item, const T* before) { return !before || item.updated_at != before->updated_at; }

    void learn_publishers(std::span<const T> items) {
        if constexpr (shows_organisation<T>) {
            std::vector<core::Uuid> unknown;
            for (const auto& item : items)
                if (const auto* id = owner(item); id && !publishers_.contains(*id)) unknown.push_back(*id);
            read_publishers(connection_, unknown, publishers_);
        }
    }

    const Publisher* publisher(const T& item) const {
        const auto* id = owner(item);
        return id ? &publishers_.at(*id) : nullptr;
    }

    bool is_listed(const T& item) const {
        const auto* by = publisher(item);
        return is().visible.lists(item) && (!by || by->published);
    }

    void write_rows(std::span<const T> items, std::span<const T* const> before) {
        static const std::string names = std::string("id, organisation_id") + (has_slug<T> ? ", slug" : "") +
                                         fields::columns<T>(is().fields) + writes::columns<T>(is().derived) +
                                         (is_public_kind<T> ? ", listed" : "");
        db::BulkInsert added(connection_, std::string(is().table) + " (" + names + ")");
        db::BulkInsert changed(connection_, std::string(is().table) + " (" + names + ")", db::update_by_id(names));
        try {
            for (std::size_t i = 0; i < items.size(); ++i) (before[i] ? changed : added).add(literals(items[i]));
            changed.flush();
            added.flush();
        } catch (const db::Error& error) {
            refuse_duplicate(error, is().table, is().reference_index);
        }
    }

    static std::string literals(const T& item) {
        const auto* organisation = owner(item);
        std::string row = db::literal(item.id) + ", " + (organisation ? db::literal(*organisation) : "NULL");
        if constexpr (has_slug<T>) row += ", " + db::literal(item.slug);
        fields::append_literals<T>(row, is().fields, item);
        writes::append_literals<T>(row, is().derived, item);
        if constexpr (is_public_kind<T>) row += item.listed ? ", 1" : ", 0";
        return row;
    }

    void count(const T& item, std::int64_t n) {
        const auto row = counted().of([&](std::string_view column) -> counts::Cell {
            if constexpr (is_public_kind<T>)
                if (column == lists::listed) return writes::cell(item.listed);
            if (column != "organisation_id") return writes::cell<T>(column, is().fields, is().derived, item);
            const auto* id = owner(item);
            return id ? writes::cell(*id) : counts::Cell();
        });
        counted().count(transaction_.counts(is().table), row, n);
    }

    std::string tokens(const T& item) const {
        const Publisher* by = nullptr;
        if constexpr (shows_organisation<T>) by = publisher(item);
        return is().words.tokens(item, by ? std::string_view(by->summary.name) : std::string_view());
    }

    void write_words(std::span<const T* const> items) {
        if (items.empty()) return;
        const auto& words = is().words.searched;
        // MySQL 9.7 loses all rows but the last one from its full text where an ON DUPLICATE KEY UPDATE of several rows updates one.
        if (items.size() > 1) {
            std::vector<db::Value> ids;
            for (const auto* item : items) ids.emplace_back(item->id);
            connection_.execute(db::delete_by_key(words.table, words.id, ids.size()), ids);
        }
        db::BulkInsert rows(connection_, std::string(words.table) + " (" + std::string(words.id) + ", tokens)",
                            "tokens = VALUES(tokens)");
        for (const auto* item : items) rows.add(db::literal(item->id) + ", " + db::literal(tokens(*item)));
        rows.flush();
    }

    void announce(std::span<const T> items, std::span<const T* const> before) {
        std::vector<webhooks::Happening> happenings;
        for (std::size_t i = 0; i < items.size(); ++i) {
            const auto& item = items[i];
            if (owner(item) && is_changed(item, before[i]))
                happenings.push_back(
                    {*owner(item), item.updated_at, is().changed, item.id, [this, &item] { return shown(item); }});
        }
        webhooks::announce(connection_, is().changed, happenings);
    }

    std::string shown(T item) const {
        if constexpr (shows_organisation<T>) set_owner(item, publisher(item)->summary);
        return render(item);
    }

    void record_history(std::span<const T> items, std::span<const T* const> before) {
        writes::History history(connection_, is().name, audit::Acting::user());
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (!owner(items[i])) continue;
            if (!before[i]) {
                history.created(items[i].id, items[i].updated_at);
                continue;
            }
            json::Writer writer;
            writer.begin_array();
            fields::write_differences<T>(writer, is().fields, *before[i], items[i]);
            if (is().hooks.write_differences) is().hooks.write_differences(writer, *before[i], items[i]);
            history.changed(items[i].id, items[i].updated_at, writer.end_array().take());
        }
        history.flush();
    }

    void record(const T& item, changes::Kind kind) {
        const auto* organisation = owner(item);
        transaction_.record(is().name, item.id, organisation ? std::optional(*organisation) : std::nullopt, kind);
    }

    writes::WriteTransaction& transaction_;
    db::Connection& connection_;
    std::map<core::Uuid, Publisher> publishers_;
};

}  // namespace tradepost::resource
