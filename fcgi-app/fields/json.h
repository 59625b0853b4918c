// Resources to and from JSON by their field descriptions (domain/field.h).
#pragma once
#include <string>
#include <type_traits>

#include "fields/field.h"
#include "http/error.h"
#include "json/value.h"
#include "json/writer.h"

namespace tradepost::fields {
namespace detail {

[[noreturn]] void refuse(std::string_view field, std::string_view why);

// The member of an object, null when there is none. A member whose value is null is there.
const json::Json* member(const json::Json& object, std::string_view name);
bool is_null(const json::Json& value);

void refuse_others(const json::Json& object, const std::vector<std::string_view>& names);

// One value by its rule, normalised(); throws http::invalid_field(). A text may stay as it is, `before`, though it is older than its rule.
std::string read_text(std::string_view field, const Rule& rule, const json::Json& value, std::string_view before = {});
std::int64_t read_integer(std::string_view field, const Rule& rule, const json::Json& value);
bool read_boolean(std::string_view field, const json::Json& value);
core::Time read_time(std::string_view field, const Rule& rule, const json::Json& value);
std::vector<std::string> read_texts(std::string_view field, const Rule& rule, const json::Json& value,
                                    const std::vector<std::string>& before);

// Each null takes its name away from `into` when `merging` (RFC 7396), and is an error otherwise.
void read_map(std::string_view field, const Rule& rule, const json::Json& value, bool merging, TextMap& into);

template <class Member>
struct member_type;
template <class T, class M>
struct member_type<M T::*> {
    using type = M;
};

inline void assign(std::string& to, std::string_view f, const Rule& r, const json::Json& v) {
    to = read_text(f, r, v, to);
}
inline void assign(std::optional<std::string>& to, std::string_view f, const Rule& r, const json::Json& v) {
    to = read_text(f, r, v, to ? std::string_view(*to) : std::string_view());
}
inline void assign(std::optional<std::int64_t>& to, std::string_view f, const Rule& r, const json::Json& v) {
    to = read_integer(f, r, v);
}
inline void assign(bool& to, std::string_view f, const Rule&, const json::Json& v) {
    to = read_boolean(f, v);
}
inline void assign(core::Time& to, std::string_view f, const Rule& r, const json::Json& v) {
    to = read_time(f, r, v);
}
inline void assign(std::optional<core::Time>& to, std::string_view f, const Rule& r, const json::Json& v) {
    to = read_time(f, r, v);
}
inline void assign(std::optional<core::Uuid>& to, std::string_view f, const Rule& r, const json::Json& v) {
    to = core::Uuid::parse(read_text(f, r, v));
}
inline void assign(std::vector<std::string>& to, std::string_view f, const Rule& r, const json::Json& v) {
    to = read_texts(f, r, v, to);
}

}  // namespace detail

enum class Reading {
    create,  // what is required must be there; read-only fields are ignored
    change,  // RFC 7396: what is absent stays, null clears; read-only fields are ignored
    import,  // as create, and read-only fields are read as well
};

namespace detail {

template <class T>
void read_field(const json::Json& object, const Field<T>& field, T& into, Reading reading) {
    if (field.use == Use::read_only && reading != Reading::import) return;
    const auto* found = member(object, field.name);
    const bool given = found && !is_null(*found);
    if (!given && field.rule.presence == Presence::required && (found || reading != Reading::change))
        refuse(field.name, found ? "must not be null" : "is required");
    if (!found) return;
    if (!given && field.rule.presence == Presence::defaulted) refuse(field.name, "must not be null");
    std::visit(
        [&](auto member) {
            if constexpr (std::is_same_v<decltype(member), TextMap T::*>) {
                if (given) return read_map(field.name, field.rule, *found, reading == Reading::change, into.*member);
            } else if (given) {
                return assign(into.*member, field.name, field.rule, *found);
            }
            into.*member = typename member_type<decltype(member)>::type{};
        },
        field.member);
}

}  // namespace detail

// Sets the members of `into` that `object` names. Throws http::invalid_field() with all fields that break their rules, in the order of the
// descriptions. Members of `object` that no description names are not looked at: see refuse_unknown().
template <class T>
void read_fields(const json::Json& object, std::span<const Field<T>> fields, T& into, Reading reading) {
    http::Faults faults;
    for (const auto& field : fields) faults.collect([&] { detail::read_field(object, field, into, reading); });
    faults.finish();
}

// Throws http::unknown_field() for a member of `object` that is neither described nor in `others`.
template <class T>
void refuse_unknown(const json::Json& object, std::span<const Field<T>> fields, std::span<const std::string_view> others = {}) {
    std::vector<std::string_view> names(others.begin(), others.end());
    for (const auto& field : fields) names.push_back(field.name);
    detail::refuse_others(object, names);
}

template <class T>
void refuse_unknown(const json::Json& object, std::span<const Field<T>> fields, std::initializer_list<std::string_view> others) {
    refuse_unknown(object, fields, std::span(others.begin(), others.size()));
}

// One member a field, in the order of the descriptions; those of Use::detail only when `detailed`.
template <class T>
void write_fields(json::Writer& writer, std::span<const Field<T>> fields, const T& from, bool detailed) {
    for (const auto& field : fields) {
        if (field.use == Use::detail && !detailed) continue;
        writer.name(field.name);
        std::visit(
            [&](auto member) {
                if constexpr (std::is_same_v<decltype(member), std::vector<std::string> T::*>) {
                    writer.begin_array();
                    for (const auto& item : from.*member) writer.value(item);
                    writer.end_array();
                } else if constexpr (std::is_same_v<decltype(member), TextMap T::*>) {
                    writer.begin_object();
                    for (const auto& [key, text] : from.*member) writer.text_name(key).value(text);
                    writer.end_object();
                } else {
                    writer.value(from.*member);
                }
            },
            field.member);
    }
}

}  // namespace tradepost::fields
