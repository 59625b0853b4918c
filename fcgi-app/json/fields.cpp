#include "json/fields.h"

#include "core/text.h"

namespace tradepost::json::detail {
namespace {
void check(std::string_view field, const std::optional<std::string>& fault) {
    if (fault) refuse(field, *fault);
}
}  // namespace

void refuse(std::string_view field, std::string_view why) { throw http::invalid_field(std::string(field), std::string(why)); }

std::string read_text(std::string_view field, const domain::Rule& rule, const Json& value) {
    if (!value.is_string()) refuse(field, domain::wanted_type(rule.kind));
    const auto& text = value.get_ref<const std::string&>();
    check(field, domain::fault(rule, text));
    return text;
}

std::int64_t read_integer(std::string_view field, const domain::Rule& rule, const Json& value) {
    if (!value.is_number_integer()) refuse(field, domain::wanted_type(rule.kind));
    // An unsigned value over 2^63 is over every field's maximum too.
    const auto number = value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(INT64_MAX) ? INT64_MAX : value.get<std::int64_t>();
    check(field, domain::fault(rule, number));
    return number;
}

bool read_boolean(std::string_view field, const Json& value) {
    if (!value.is_boolean()) refuse(field, domain::wanted_type(domain::Kind::boolean));
    return value.get<bool>();
}

core::Time read_time(std::string_view field, const domain::Rule& rule, const Json& value) {
    return *core::parse_rfc3339(read_text(field, rule, value));
}

std::vector<std::string> read_texts(std::string_view field, const domain::Rule& rule, const Json& value) {
    if (!value.is_array()) refuse(field, domain::wanted_type(rule.kind));
    if (std::int64_t(value.size()) > rule.max) refuse(field, "must hold at most " + std::to_string(rule.max) + " texts");
    std::vector<std::string> texts;
    for (const auto& item : value) texts.push_back(read_text(field, rule, item));
    return texts;
}

void read_map(std::string_view field, const domain::Rule& rule, const Json& value, bool merging, domain::TextMap& into) {
    if (!value.is_object()) refuse(field, domain::wanted_type(rule.kind));
    domain::TextMap map;
    if (merging) map = into;
    for (const auto& [name, text] : value.items()) {
        if (text.is_null() && merging) {
            map.erase(name);
            continue;
        }
        if (!text.is_string()) refuse(field, domain::wanted_type(rule.kind));
        const auto length = std::int64_t(core::code_points(name));
        if (length < 1 || length > domain::max_map_name || name.find('\0') != std::string::npos)
            refuse(field, "must have names of 1 to " + std::to_string(domain::max_map_name) + " characters");
        map[name] = read_text(field, rule, text);
    }
    if (std::int64_t(map.size()) > rule.max) refuse(field, "must hold at most " + std::to_string(rule.max) + " pairs");
    into = std::move(map);
}

}  // namespace tradepost::json::detail
