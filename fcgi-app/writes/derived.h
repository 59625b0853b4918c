// The columns of a row that no field has, and what counts see of a resource that is about to be written.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/text.h"
#include "counts/table.h"
#include "db/statement.h"
#include "fields/rows.h"

namespace tradepost::writes {

// A column that follows from the fields of a resource. The key of a text is what filters compare: core::fold_key(), empty without a text.
template <class T>
struct Derived {
    using Key = std::string (*)(const T&);
    using Number = std::optional<std::int64_t> (*)(const T&);
    using Time = core::Time (*)(const T&);
    std::string_view column;
    std::variant<Key, Number, Time> value;
};

inline std::string key_of(const std::optional<std::string>& text) {
    return text ? core::fold_key(*text) : std::string();
}

inline std::string literal(const std::string& key) {
    return key.empty() ? "NULL" : db::literal(db::Binary{key});
}
template <class V>
std::string literal(const V& value) {
    return db::literal(db::Value(value));
}

// ", category_key, salary_low", and their values as SQL, each after a comma.
template <class T>
std::string columns(std::span<const Derived<T>> derived) {
    std::string list;
    for (const auto& each : derived) list.append(", ").append(each.column);
    return list;
}
template <class T>
void append_literals(std::string& sql, std::span<const Derived<T>> derived, const T& from) {
    for (const auto& each : derived) std::visit([&](auto value) { sql.append(", ").append(literal(value(from))); }, each.value);
}

// A value as counts see it.
inline counts::Cell cell(const std::string& text) {
    if (text.empty()) return {};
    return {{text}, {}};
}
inline counts::Cell cell(const std::vector<std::string>& texts) {
    return {texts, {}};
}
inline counts::Cell cell(bool value) {
    return {{}, value};
}
inline counts::Cell cell(std::int64_t number) {
    return {{}, number};
}
inline counts::Cell cell(core::Time time) {
    return {{}, time.time_since_epoch().count()};
}
inline counts::Cell cell(const core::Uuid& id) {
    return {{std::string(id.bytes())}, {}};
}
template <class V>
counts::Cell cell(const std::optional<V>& value) {
    return value ? cell(*value) : counts::Cell();
}
inline counts::Cell cell(const fields::TextMap&) {
    return {};  // nothing is counted by it
}

// A column of a field, or a derived one. Throws std::logic_error when there is neither.
template <class T>
counts::Cell cell(std::string_view column, std::span<const fields::Field<T>> fields, std::span<const Derived<T>> derived,
                  const T& from) {
    for (const auto& each : derived)
        if (each.column == column) return std::visit([&](auto value) { return cell(value(from)); }, each.value);
    for (const auto& field : fields)
        if (fields::column_name(field) == column)
            return std::visit([&](auto member) { return cell(from.*member); }, field.member);
    throw std::logic_error("no field makes the column " + std::string(column));
}

}  // namespace tradepost::writes
