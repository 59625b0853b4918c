// A resource's fields as data: one description serves reading, checking, error texts, import and output.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/time.h"
#include "core/uuid.h"

namespace tradepost::fields {

using TextMap = std::map<std::string, std::string>;

enum class Kind {
    text,     // min … max code points
    name,     // the same, of an organisation or a user: no link and no address (has_link())
    choice,   // one of `choices`
    integer,  // min … max
    boolean,
    time,
    https_url,  // absolute, at most max code points
    web_url,    // the same, http or https
    email,      // kept without the white space around it
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

// The unit of an integer that is an amount of money.
struct Money {
    std::string_view currency = {};  // the field that names the currency; empty: the integer is no amount
    bool minor_units = false;        // pence and cents; else whole units
};

// How a text is written.
enum class Lines {
    one,    // in one line
    many,   // with the line breaks that it came with
    exact,  // byte for byte as it came: secrets, and what machines made
};

struct Rule {
    Kind kind;
    Presence presence = Presence::optional;
    std::int64_t min = 0;
    std::int64_t max = 0;
    std::span<const std::string_view> choices = {};
    Money money = {};
    Lines lines = Lines::one;  // of text, name, text_list and the texts of a text_map
    // Of a choice: other spellings, each followed by the choice that it stands for.
    std::span<const std::pair<std::string_view, std::string_view>> aliases = {};
};

inline constexpr std::int64_t max_map_name = 80, max_map_text = 500;  // code points of a name and a text in a text_map

// A text as it is stored, before fault() looks at it: the one rule for all texts that people write, wherever they come in. In NFC, without white
// space and invisible characters at both ends, and in one line (core::one_line()) unless the rule says otherwise; an alias as its choice.
// Returns other kinds, and Lines::exact, as they are. `text` is valid UTF-8.
std::string normalised(const Rule& rule, std::string_view text);

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

// Whether a text holds "://", "www." at the beginning of a word, or "@", in whatever case and width: names stand in emails to people who did not
// ask for them, and mail programs make links of these.
bool has_link(std::string_view text);

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
constexpr Rule name(std::int64_t max) {
    return {Kind::name, Presence::required, 1, max, {}};
}
constexpr Rule text(std::int64_t max) {
    return {Kind::text, Presence::optional, 0, max, {}};
}
// The same with line breaks.
constexpr Rule lines(std::int64_t max, Presence presence = Presence::optional) {
    return {Kind::text, presence, presence == Presence::required, max, {}, {}, Lines::many};
}
// Byte for byte.
constexpr Rule exact(std::int64_t max, Presence presence = Presence::required) {
    return {Kind::text, presence, presence == Presence::required, max, {}, {}, Lines::exact};
}
// A publisher's own name for a row.
constexpr Rule reference(Presence presence) {
    return {Kind::text, presence, 1, 64, {}};
}
constexpr Rule choice(std::span<const std::string_view> values, Presence presence = Presence::optional) {
    return {Kind::choice, presence, 0, 0, values};
}
constexpr Rule integer(std::int64_t min, std::int64_t max) {
    return {Kind::integer, Presence::optional, min, max, {}};
}
constexpr Rule money(std::int64_t max, Money money) {
    return {Kind::integer, Presence::optional, 0, max, {}, money};
}
constexpr Rule time(Presence presence = Presence::optional) {
    return {Kind::time, presence, 0, 0, {}};
}
constexpr Rule texts_by_name(std::int64_t max_pairs) {
    return {Kind::text_map, Presence::optional, 0, max_pairs, {}, {}, Lines::many};
}
constexpr Rule of(Kind kind, std::int64_t max = 2048) {
    return {kind, Presence::optional, 0, max, {}};
}
}  // namespace rules

}  // namespace tradepost::fields
