#include "versions/list_tags.h"

#include <charconv>
#include <cstring>

#include "core/crypto.h"
#include "core/program.h"
#include "http/conditional.h"
#include "limits/siphash.h"

namespace tradepost::versions {
namespace {

constexpr std::size_t hash_digits = 16;

std::uint64_t word(std::string_view bytes, std::size_t index) {
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data() + index * sizeof number, sizeof number);
    return number;
}

template <class Number>
void append(std::string& text, Number number, int base) {
    char digits[20];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, number, base).ptr);
}

// Takes a number and the hyphen behind it off the front. A text with the right hash is well-formed.
template <class Number>
Number take(std::string_view& text, int base) {
    Number number{};
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number, base).ptr;
    text.remove_prefix(std::min<std::size_t>(text.size(), std::size_t(end - text.data()) + 1));
    return number;
}

}  // namespace

std::string ListTags::hash(std::string_view list, std::string_view fields) const {
    limits::SipHash hasher(word(key_, 0), word(key_, 1));
    hasher.add(core::program_hash());
    hasher.add(list);
    hasher.add('\0');  // the fields contain none
    hasher.add(fields);
    std::string digits(hash_digits, '0');
    auto number = hasher.finish();
    for (auto at = digits.rbegin(); at != digits.rend(); ++at, number >>= 4) *at = "0123456789abcdef"[number & 15];
    return digits;
}

std::string ListTags::make(std::string_view list, std::uint64_t version, const Total& total) const {
    std::string fields;
    append(fields, version, 16);
    fields += '-';
    append(fields, total.valid_until ? std::int64_t(total.valid_until->time_since_epoch().count()) : 0, 16);
    fields += '-';
    append(fields, total.rows, 10);
    return '"' + fields + '-' + hash(list, fields) + '"';
}

std::optional<ListTags::Current> ListTags::find(std::string_view if_none_match, std::string_view list, std::uint64_t version,
                                                core::Time now) const {
    std::optional<Current> current;
    http::find_tag(if_none_match, [&](std::string_view tag) {
        const auto text = tag.substr(1, tag.size() - 2);
        const auto hyphen = text.rfind('-');
        if (hyphen == std::string_view::npos || text.size() - hyphen - 1 != hash_digits) return false;
        auto fields = text.substr(0, hyphen);
        if (text.substr(hyphen + 1) != hash(list, fields)) return false;
        const auto its_version = take<std::uint64_t>(fields, 16);
        const auto until = take<std::int64_t>(fields, 16);
        if (its_version != version || (until != 0 && now >= core::Time(core::milliseconds(until)))) return false;
        current = Current{tag, take<std::int64_t>(fields, 10)};
        return true;
    });
    return current;
}

}  // namespace tradepost::versions
