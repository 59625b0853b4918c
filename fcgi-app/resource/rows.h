// Items from rows, and to JSON.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/text.h"
#include "db/sql.h"
#include "fields/json.h"
#include "identity/organisations/organisation.h"
#include "lists/horizon.h"
#include "lists/selection.h"
#include "resource/description.h"

namespace tradepost::resource {

// What read() wants of the table `t` and of its organisation `o`, in its order; `detailed` with the fields that lists leave out. With
// `bare` nothing is joined: of the organisation there is the id alone.
template <class T>
std::string columns(bool detailed, bool bare = false) {
    std::string list = "t.id";
    if constexpr (has_slug<T>) list += ", t.slug";
    if constexpr (shows_organisation<T>)
        list.append(", ").append(bare ? "t.organisation_id, NULL, NULL, NULL" : identity::organisation_columns);
    else
        list += ", t.organisation_id";
    list += fields::columns<T>(T::described().fields, "t.", detailed);
    if constexpr (is_public_kind<T>)
        if (detailed) list += ", t.listed";
    return list;
}

// Without the index named, MariaDB 11.8 scans a small table and sorts all rows of the list.
template <class T>
constexpr std::string_view joins() {
    if constexpr (!shows_organisation<T>)
        return "";
    else if constexpr (may_stand_alone<T>())
        return " LEFT JOIN organisations o FORCE INDEX (PRIMARY) ON o.id = t.organisation_id";
    else
        return " JOIN organisations o FORCE INDEX (PRIMARY) ON o.id = t.organisation_id";
}

template <class T>
T read(db::Row& row, bool detailed) {
    T item;
    std::size_t column = 0;
    item.id = row.uuid(column++);
    if constexpr (has_slug<T>) item.slug = row.text(column++);
    if constexpr (shows_organisation<T>) {
        if (!row.is_null(column))
            item.organisation = identity::OrganisationSummary{row.uuid(column), row.opt_text(column + 1).value_or(""),
                                                              row.opt_text(column + 2).value_or(""), row.opt_text(column + 3)};
        column += identity::organisation_width;
    } else {
        item.organisation_id = row.uuid(column++);
    }
    column = fields::read_columns<T>(row, column, T::described().fields, item, detailed);
    if constexpr (is_public_kind<T>)
        if (detailed) item.listed = row.boolean(column);
    return item;
}

// The items that a condition over `t` finds, whole. `locks` is for bare ones: a join would lock organisations as well.
template <class T>
std::vector<T> select(db::Connection& connection, const std::string& condition, std::span<const db::Value> values, bool bare,
                      db::Locks locks = db::Locks::none) {
    const auto& description = T::described();
    auto rows = connection.query("SELECT " + columns<T>(true, bare) + " FROM " + std::string(description.table) + " t " +
                                     condition + std::string(ending(locks)),
                                 values);
    std::vector<T> items;
    for (auto& row : rows) items.push_back(read<T>(row, true));
    if (description.hooks.complete && !items.empty()) description.hooks.complete(connection, items);
    return items;
}

template <class T>
std::optional<T> first(std::vector<T> items) {
    if (items.empty()) return {};
    return std::move(items[0]);
}

// The item as it is shown, in any state. At most two round trips.
template <class T>
std::optional<T> find_named(db::Connection& connection, std::string_view id_or_slug) {
    const lists::IdOrSlug named(id_or_slug);
    if (has_slug<T> ? !named.is_possible() : !named.id) return {};
    return first(
        select<T>(connection, std::string(joins<T>()) + " WHERE " + named.condition(), std::array{named.value()}, false));
}

// As find_named(), by the organisation's reference in one of its core::reference_forms().
template <class T>
std::optional<T> find_referenced(db::Connection& connection, const core::Uuid& organisation_id, const std::string& reference) {
    for (const auto& form : core::reference_forms(reference)) {
        auto found = select<T>(connection,
                               "FORCE INDEX (" + std::string(T::described().reference_index) + ")" + std::string(joins<T>()) +
                                   " WHERE t.organisation_id = ? AND t.reference = ?",
                               std::array{db::Value(organisation_id), db::Value(db::Binary{form})}, false);
        if (!found.empty()) return std::move(found[0]);
    }
    return {};
}

// As GET shows it.
template <class T>
void write(json::Writer& writer, const T& item, bool detailed = true) {
    const auto& description = T::described();
    writer.begin_object().member("id", item.id);
    if constexpr (has_slug<T>) writer.member("slug", item.slug);
    if constexpr (!shows_organisation<T>) {
        writer.member("organisationId", item.organisation_id);
    } else {
        writer.name("organisation");
        if constexpr (!may_stand_alone<T>())
            identity::write_organisation(writer, item.organisation);
        else if (item.organisation)
            identity::write_organisation(writer, *item.organisation);
        else
            writer.null();
    }
    fields::write_fields<T>(writer, description.fields, item, detailed);
    if (description.hooks.write_more) description.hooks.write_more(writer, item);
    writer.end_object();
}

template <class T>
std::string render(const T& item) {
    json::Writer writer;
    write(writer, item);
    return writer.take();
}

// How a list whose scope is the organisation is polled.
template <class T>
lists::Poll poll() {
    return {T::described().poll_index,
            [](db::Connection& connection, const lists::Selection& selection, const core::Clock& clock) {
                return lists::horizon(connection, T::described().table, selection.owners, clock);
            }};
}

// The items of a list with a row for each.
template <class T>
lists::Items items() {
    return {columns<T>(false), std::string(joins<T>()), true, [](json::Writer& writer, db::Rows& rows) {
                for (auto& row : rows) write(writer, read<T>(row, false), false);
            }};
}

}  // namespace tradepost::resource
