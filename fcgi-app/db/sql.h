// A part of a statement with the values of its `?`s, put together from parts.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/value.h"

namespace tradepost::db {

// The rows that a page shows.
struct Slice {
    std::int64_t offset;
    std::int64_t limit;
};

// "?, ?, ?" for so many values.
inline std::string placeholders(std::size_t count) {
    std::string list;
    for (std::size_t i = 0; i < count; ++i) list += i == 0 ? "?" : ", ?";
    return list;
}

// Whether a SELECT locks the rows that it finds until the transaction ends.
enum class Locks { none, rows };
constexpr std::string_view ending(Locks locks) {
    return locks == Locks::rows ? " FOR UPDATE" : "";
}

// Deletes the rows with these values of a unique key; its values are those. Without the LIMIT the servers scan a short
// table, and lock all of it.
inline std::string delete_by_key(std::string_view table, std::string_view key, std::size_t count) {
    return "DELETE FROM " + std::string(table) + " WHERE " + std::string(key) + " IN (" + placeholders(count) + ") ORDER BY " +
           std::string(key) + " LIMIT " + std::to_string(count);
}

// Borrows the characters of its values, as db::Value does.
struct Sql {
    std::string text;
    std::vector<Value> values;

    Sql() = default;
    explicit Sql(std::string_view sql, std::initializer_list<Value> its_values = {}) : text(sql), values(its_values) {}

    Sql& add(std::string_view sql, std::initializer_list<Value> its_values = {}) {
        text += sql;
        values.insert(values.end(), its_values.begin(), its_values.end());
        return *this;
    }
    Sql& add(const Sql& other) {
        text += other.text;
        values.insert(values.end(), other.values.begin(), other.values.end());
        return *this;
    }
    // column = ?, or column IN (?, …); false when there are no values.
    template <class T>
    Sql& add_in(std::string_view column, std::span<const T> any_of) {
        if (any_of.empty()) return add("FALSE");
        add(column).add(any_of.size() == 1 ? " = ?" : " IN (" + placeholders(any_of.size()) + ")");
        values.insert(values.end(), any_of.begin(), any_of.end());
        return *this;
    }
};

}  // namespace tradepost::db
