#include "fields/json.h"

#include <algorithm>
#include <set>

#include "core/email.h"
#include "core/present.h"
#include "core/text.h"
#include "json/parse.h"

namespace tradepost::fields::detail {
namespace {
void check(std::string_view field, const std::optional<std::string>& fault) {
    if (fault) refuse(field, *fault);
}
}  // namespace

void refuse(std::string_view field, std::string_view why) {
    throw http::invalid_field(std::string(field), std::string(why));
}

const json::Json* member(const json::Json& object, std::string_view name) {
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
}

bool is_null(const json::Json& value) {
    return value.is_null();
}

void refuse_others(const json::Json& object, const std::vector<std::string_view>& names) {
    http::Faults faults;
    for (const auto& [name, value] : object.items())
        if (std::find(names.begin(), names.end(), name) == names.end() && !faults.is_full())
            faults.collect([&n = name] { throw http::unknown_field(n); });
    faults.finish();
}

std::string read_text(std::string_view field, const Rule& rule, const json::Json& value, std::string_view before) {
    if (!value.is_string()) refuse(field, wanted_type(rule.kind));
    const auto& sent = value.get_ref<const std::string&>();
    if (!before.empty() && sent == before) return sent;
    auto text = normalised(rule, sent);
    if (text.empty() && !sent.empty() && rule.min > 0) refuse(field, "must have a visible character");
    check(field, fault(rule, text));
    return rule.kind == Kind::email ? core::present(core::parse_email(text)) : text;
}

std::int64_t read_integer(std::string_view field, const Rule& rule, const json::Json& value) {
    if (!value.is_number_integer()) refuse(field, wanted_type(rule.kind));
    // An unsigned value over 2^63 is over every field's maximum too.
    const auto number = value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(INT64_MAX)
                            ? INT64_MAX
                            : value.get<std::int64_t>();
    check(field, fault(rule, number));
    return number;
}

bool read_boolean(std::string_view field, const json::Json& value) {
    if (!value.is_boolean()) refuse(field, wanted_type(Kind::boolean));
    return value.get<bool>();
}

core::Time read_time(std::string_view field, const Rule& rule, const json::Json& value) {
    return core::present(core::parse_rfc3339(read_text(field, rule, value)));
}

std::vector<std::string> read_texts(std::string_view field, const Rule& rule, const json::Json& value,
                                    const std::vector<std::string>& before) {
    if (!value.is_array()) refuse(field, wanted_type(rule.kind));
    if (std::int64_t(value.size()) > rule.max) refuse(field, "must hold at most " + std::to_string(rule.max) + " texts");
    std::vector<std::string> texts;
    for (const auto& item : value) {
        const auto old =
            item.is_string() ? std::find(before.begin(), before.end(), item.get_ref<const std::string&>()) : before.end();
        texts.push_back(read_text(field, rule, item, old == before.end() ? std::string_view() : *old));
    }
    return texts;
}

void read_map(std::string_view field, const Rule& rule, const json::Json& value, bool merging, TextMap& into) {
    // PHP writes an empty object so, unless it is told otherwise.
    const bool is_empty_list = value.is_array() && value.empty();
    if (!value.is_object() && !is_empty_list) refuse(field, wanted_type(rule.kind));
    constexpr Rule name_rule{Kind::text, Presence::required, 1, max_map_name, {}};
    TextMap map;
    if (merging) map = into;
    std::set<std::string> named;
    for (const auto& [sent, text] : value.items()) {
        const auto old = into.find(sent);
        const auto name = old != into.end() ? sent : normalised(name_rule, sent);
        if (!named.insert(name).second) refuse(field, "must have names that differ");
        if (text.is_null() && merging) {
            map.erase(name);
            continue;
        }
        if (!text.is_string()) refuse(field, wanted_type(rule.kind));
        if (old == into.end() && fault(name_rule, name))
            refuse(field, "must have names of 1 to " + std::to_string(max_map_name) + " characters");
        map[name] = read_text(field, rule, text, old == into.end() ? std::string_view() : std::string_view(old->second));
    }
    if (std::int64_t(map.size()) > rule.max) refuse(field, "must hold at most " + std::to_string(rule.max) + " pairs");
    into = std::move(map);
}

}  // namespace tradepost::fields::detail
