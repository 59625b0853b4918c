// The description of a resource. Its routes, its feed, its imports and all effects of a write follow from it.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/route.h"
#include "fields/field.h"
#include "fields/rows.h"
#include "json/value.h"
#include "json/writer.h"
#include "lists/list.h"
#include "resource/item.h"
#include "resource/states.h"
#include "writes/derived.h"
#include "writes/room.h"
#include "writes/transaction.h"

namespace tradepost::resource {

// Which items the public may see, apart from their organisation, which must be published. The times are compared with the clock.
template <class T>
struct Visibility {
    std::string_view status = {};                   // only with this `status`
    std::optional<core::Time> T::*from = nullptr;   // only with this time, and from then on
    std::optional<core::Time> T::*until = nullptr;  // and until this time, if there is one

    // The column `listed`: all but the times.
    bool lists(const T& item) const {
        if constexpr (requires { item.status; })
            if (!status.empty() && item.status != status) return false;
        return !from || (item.*from).has_value();
    }
    bool shows(const T& item, core::Time now) const {
        return lists(item) && (!from || *(item.*from) <= now) && (!until || !(item.*until) || *(item.*until) > now);
    }
};

// Where `q` finds the items. With codes, which are found by their beginning.
template <class T>
struct Words {
    lists::Searched searched;
    std::string (*tokens)(const T& item, std::string_view organisation);  // search::index_tokens() of its texts
    bool organisation = false;                                            // among them the name of the organisation
};

// Functions for what only one resource does. Each may be null.
template <class T>
struct Hooks {
    // Between the parsed fields and the rules of the whole: members of a body, or of a line, that are no fields; and writing them.
    void (*read_more)(const json::Json& body, T& item) = nullptr;
    void (*write_more)(json::Writer& writer, const T& item) = nullptr;
    // After rows are read: what stands in other tables.
    void (*complete)(db::Connection& connection, std::span<T> items) = nullptr;
    bool (*same_more)(const T& a, const T& b) = nullptr;
    void (*write_differences)(json::Writer& writer, const T& before, const T& after) = nullptr;

    // A PUT begins with these values of `before`; the body may replace them. read_put() has taken over ids and times.
    void (*keep)(T& item, const T& before) = nullptr;
    // Called before each write, once the change is allowed: sets fields that follow from others.
    void (*settle)(T& item, core::Time now) = nullptr;
    // A complete feed calls it for each item that it does not name.
    void (*withdraw)(T& item) = nullptr;

    // Before a write: checks what the item names in other tables, locks it, and fills in what is shown of it. `before` may be null.
    // Without a transaction, `check` throws the same.
    void (*resolve)(db::Connection& connection, T& item, const T* before) = nullptr;
    void (*check)(db::Connection& connection, const T& item, const T* before) = nullptr;
    // After the rows are written; `before[i]` is what items[i] was, or null.
    void (*after_write)(db::Connection& connection, std::span<const T> items, std::span<const T* const> before) = nullptr;
    void (*before_remove)(db::Connection& connection, const T& item, core::Time now) = nullptr;
    // After `listed` of these rows was changed.
    void (*after_relist)(db::Connection& connection, std::span<const db::Value> ids) = nullptr;
};

template <class T>
struct Description {
    std::string_view name;  // of the path below /api/v1/, of the versions, the change log, the deletions and the history: "stock"
    std::string_view table;        // "stock_items"
    std::string_view singular;     // of parameters and, where titles have no letters, of slugs: "stock"
    std::string_view noun, a_new;  // in errors: "item", "a new stock item"
    writes::Things things;
    api::Needs reads, writes;  // of a token; else the routes are closed to tokens with scopes

    std::span<const fields::Field<T>> fields;
    std::span<const writes::Derived<T>> derived = {};
    std::span<const std::string_view> more_members = {};  // that hooks read
    States states = {};                                   // none: the resource has no such rule
    // They return the first fault of an item as a whole. The second takes the place of the first where members write; imports allow more.
    std::optional<fields::Fault> (*fault)(const T& item) = nullptr;
    std::optional<fields::Fault> (*fault_in_writing)(const T& item) = nullptr;

    Visibility<T> visible = {};
    std::string_view is_withdrawn;  // in SQL: what a complete feed leaves alone

    // The indexes of an organisation's rows; by reference, if they have one; and by `updated_at`.
    std::string_view owner_index, reference_index = {}, poll_index = {};
    const lists::List& (*public_list)() = nullptr;
    const lists::List& (*member_list)();
    bool counts_are_own = false;  // all kept counts are of one organisation
    Words<T> words;
    std::string_view changed, deleted;  // the webhooks' events
    Hooks<T> hooks = {};
};

template <class T>
std::span<const fields::Field<T>> fields_of() {
    return T::described().fields;
}

// A field's column, for SQL.
template <class T, class Member>
std::string column_of(const Description<T>& description, Member member) {
    for (const auto& field : description.fields)
        if (field.member == typename fields::Field<T>::Member(member)) return fields::column_name(field);
    throw std::logic_error("no field has this member");
}

// Visibility::lists() in SQL, of a table that the statement calls `prefix`, such as "t.".
template <class T>
std::string listed_sql(const Description<T>& description, const std::string& prefix = "") {
    const auto& visible = description.visible;
    return prefix + (visible.from ? column_of(description, visible.from) + " IS NOT NULL"
                                  : "status = '" + std::string(visible.status) + "'");
}

// Visibility::from or until in SQL: which of the listed rows the public does not see yet, or any more. `index` finds them; `remove` is
// lists::Hidden::remove. Throws std::logic_error for a resource with both times, or with none.
template <class T>
lists::Hidden hidden(std::string_view index, std::size_t (*remove)(db::Connection&, core::Time, int) = nullptr) {
    const auto& is = T::described();
    const bool ends = is.visible.until;
    if (ends == bool(is.visible.from)) throw std::logic_error("lists hide rows by one time");
    const auto time = column_of(is, ends ? is.visible.until : is.visible.from), column = "t." + time;
    return {.column = time,
            .from_then_on = ends,
            .index = index,
            .shown = ends ? "(" + column + " IS NULL OR " + column + " > ?)" : column + " <= ?",
            .hidden = column + (ends ? " <= ?" : " > ?"),
            .next = "(SELECT MIN(" + time + ") FROM " + std::string(is.table) + " FORCE INDEX (" + std::string(index) +
                    ") WHERE listed = 1 AND " + time + " > ?)",
            .remove = remove};
}

template <class T>
bool same(const T& a, const T& b) {
    const auto& description = T::described();
    return fields::same_fields<T>(description.fields, a, b) &&
           (!description.hooks.same_more || description.hooks.same_more(a, b));
}

}  // namespace tradepost::resource
