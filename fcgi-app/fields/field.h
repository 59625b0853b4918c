// A resource's fields as data: one description serves reading, checking, error texts, import and output.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/time.h"
#include "core/uuid.h"

namespace tradepost::fields {

using TextMap = std::map<std::string, std::string>;

enum class Kind {
    text,     // min … max code points
    choice,   // one of `choices`
    integer,  // min … max
    boolean,
    time,
    https_url,  // absolute, at most max code points
    web_url,    // the same, http or https
    email,
    country,    // ISO 3166-1 alpha-2
    currency,   // ISO 4217
    timezone,   // a name of the IANA database
    text_list,  // at most max texts of 1 … 80 code points
    text_map,   // at most max texts, each under a name of 1 … 80 code points
    id,         // a UUID
};

enum class Presence {
    required,   // a new resource must have it; never null
    optional,   // may be null, which is also what a new resource has without it
    defaulted,  // a new resource may leave it out; never null
};

struct Rule {
    Kind kind;
    Presence presence = Presence::optional;
    std::int64_t min = 0;
    std::int64_t max = 0;
    std::span<const std::string_view> choices = {};
};

inline constexpr std::int64_t max_map_name = 80, max_map_text = 500;  // code points of a name and a text in a text_map

// What is wrong with a value, as the client is told after the field's name ("must be …"); empty when nothing is.
std::optional<std::string> fault(const Rule& rule, std::string_view text);
std::optional<std::string> fault(const Rule& rule, std::int64_t number);

// What is wrong with a resource as a whole: a rule that one field alone does not show.
struct Fault {
    std::string_view field;
    std::string why;
};

// What a value of the wrong JSON type is told: "must be a string".
std::string_view wanted_type(Kind kind);

// An address as `Kind::email` takes it: one @ with something before it, a host name behind it, no spaces, at most 254 code points.
bool is_email(std::string_view text);

enum class Use {
    writable,   // clients set it
    read_only,  // clients see it; what they send is ignored. An import sets it
    detail,     // writable, and left out of lists that read without details
};

template <class T>
struct Field {
    using Member = std::variant<std::string T::*, std::optional<std::string> T::*, std::optional<std::int64_t> T::*, bool T::*,
                                core::Time T::*, std::optional<core::Time> T::*, std::vector<std::string> T::*, TextMap T::*,
                                std::optional<core::Uuid> T::*>;
    std::string_view name;
    Rule rule;
    Member member;
    Use use = Use::writable;
    std::string_view column = {};  // where it is not the name in snake_case
};

// Whether all described fields but `updatedAt` are equal.
template <class T>
bool same_fields(std::span<const Field<T>> fields, const T& a, const T& b) {
    for (const auto& field : fields) {
        if (field.name == "updatedAt") continue;
        if (!std::visit([&](auto member) { return a.*member == b.*member; }, field.member)) return false;
    }
    return true;
}

// Rules that many resources share.
namespace rules {
constexpr Rule required_text(std::int64_t max) {
    return {Kind::text, Presence::required, 1, max, {}};
}
constexpr Rule text(std::int64_t max) {
    return {Kind::text, Presence::optional, 0, max, {}};
}
constexpr Rule choice(std::span<const std::string_view> values, Presence presence = Presence::optional) {
    return {Kind::choice, presence, 0, 0, values};
}
constexpr Rule integer(std::int64_t min, std::int64_t max) {
    return {Kind::integer, Presence::optional, min, max, {}};
}
constexpr Rule time(Presence presence = Presence::optional) {
    return {Kind::time, presence, 0, 0, {}};
}
constexpr Rule texts_by_name(std::int64_t max_pairs) {
    return {Kind::text_map, Presence::optional, 0, max_pairs, {}};
}
constexpr Rule of(Kind kind, std::int64_t max = 2048) {
    return {kind, Presence::optional, 0, max, {}};
}
}  // namespace rules

}  // namespace tradepost::fields
