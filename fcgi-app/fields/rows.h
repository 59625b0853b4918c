// Resources to and from rows by their field descriptions: a column each.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "db/connection.h"
#include "db/statement.h"
#include "fields/field.h"

namespace tradepost::fields {

// "contract_type" for "contractType", unless the description names another column.
std::string column_name(std::string_view field);

template <class T>
std::string column_name(const Field<T>& field) {
    return field.column.empty() ? column_name(field.name) : std::string(field.column);
}

// ", title, summary" in the order of the descriptions; with `prefix` ", t.title, t.summary". Those of Use::detail only when `detailed`.
template <class T>
std::string columns(std::span<const Field<T>> fields, std::string_view prefix = "", bool detailed = true) {
    std::string list;
    for (const auto& field : fields)
        if (detailed || field.use != Use::detail) list.append(", ").append(prefix).append(column_name(field));
    return list;
}

// One column into one member; the row's text is moved. Throws std::logic_error as db::Row does.
void read(db::Row& row, std::size_t column, std::string& into);
void read(db::Row& row, std::size_t column, std::optional<std::string>& into);
void read(db::Row& row, std::size_t column, std::optional<std::int64_t>& into);
void read(db::Row& row, std::size_t column, bool& into);
void read(db::Row& row, std::size_t column, core::Time& into);
void read(db::Row& row, std::size_t column, std::optional<core::Time>& into);
void read(db::Row& row, std::size_t column, std::vector<std::string>& into);  // a JSON array
void read(db::Row& row, std::size_t column, TextMap& into);                   // a JSON object
void read(db::Row& row, std::size_t column, std::optional<core::Uuid>& into);

// Reads columns() of the same fields, the first of which is column `first`. Returns the column behind them.
template <class T>
std::size_t read_columns(db::Row& row, std::size_t first, std::span<const Field<T>> fields, T& into, bool detailed = true) {
    for (const auto& field : fields)
        if (detailed || field.use != Use::detail)
            std::visit([&](auto member) { read(row, first++, into.*member); }, field.member);
    return first;
}

// A member as SQL.
std::string literal(const std::vector<std::string>& texts);
std::string literal(const TextMap& texts);
template <class V>
std::string literal(const V& value) {
    return db::literal(db::Value(value));
}

// The value of one field as SQL.
template <class T>
std::string literal(const Field<T>& field, const T& from) {
    return std::visit([&](auto member) { return literal(from.*member); }, field.member);
}

// Appends the values of the fields as SQL, each after a comma, in the order of columns().
template <class T>
void append_literals(std::string& sql, std::span<const Field<T>> fields, const T& from) {
    for (const auto& field : fields) sql.append(", ").append(literal(field, from));
}

}  // namespace tradepost::fields
