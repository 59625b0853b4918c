#include "fields/field.h"

#include <algorithm>

#include "core/email.h"
#include "core/text.h"
#include "core/url.h"
#include "fields/codes.h"

namespace tradepost::fields {
namespace {

std::string length_text(const Rule& rule) {
    if (rule.min > 0) return "must be " + std::to_string(rule.min) + " to " + std::to_string(rule.max) + " characters long";
    return "must be at most " + std::to_string(rule.max) + " characters long";
}

}  // namespace

bool has_link(std::string_view text) {
    const auto folded = core::fold(text);
    if (folded.find("://") != std::string::npos || folded.find('@') != std::string::npos) return true;
    const auto in_word = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'); };
    for (auto at = folded.find("www."); at != std::string::npos; at = folded.find("www.", at + 1))
        if (at == 0 || !in_word(folded[at - 1])) return true;
    return false;
}

std::string_view wanted_type(Kind kind) {
    switch (kind) {
        case Kind::integer:
            return "must be an integer";
        case Kind::boolean:
            return "must be true or false";
        case Kind::text_list:
            return "must be a list of strings";
        case Kind::text_map:
            return "must be an object of strings";
        default:
            return "must be a string";
    }
}

std::string normalised(const Rule& rule, std::string_view text) {
    switch (rule.kind) {
        case Kind::text:
        case Kind::name:
        case Kind::text_list:
        case Kind::text_map:
            if (rule.lines == Lines::exact) break;
            return rule.lines == Lines::one ? core::one_line(text) : core::many_lines(text);
        case Kind::choice: {
            const auto alias =
                std::find_if(rule.aliases.begin(), rule.aliases.end(), [&](const auto& each) { return each.first == text; });
            if (alias != rule.aliases.end()) return std::string(alias->second);
            break;
        }
        default:
            break;
    }
    return std::string(text);
}

std::optional<std::string> fault(const Rule& rule, std::int64_t number) {
    if (number >= rule.min && number <= rule.max) return {};
    return "must be an integer from " + std::to_string(rule.min) + " to " + std::to_string(rule.max);
}

std::optional<std::string> fault(const Rule& rule, std::string_view text) {
    if (text.find('\0') != std::string_view::npos) return "must not contain NUL";
    const auto length = std::int64_t(core::code_points(text));
    switch (rule.kind) {
        case Kind::text:
            if (length < rule.min || length > rule.max) return length_text(rule);
            return {};
        case Kind::name:
            if (length < rule.min || length > rule.max) return length_text(rule);
            if (has_link(text)) return "must not contain ://, www. or @";
            return {};
        case Kind::choice: {
            if (std::find(rule.choices.begin(), rule.choices.end(), text) != rule.choices.end()) return {};
            std::string list;
            for (const auto choice : rule.choices) list.append(list.empty() ? "" : ", ").append(choice);
            return "must be one of " + list;
        }
        case Kind::https_url:
        case Kind::web_url:
            if (length > rule.max) return length_text(rule);
            if (core::is_url(text, rule.kind == Kind::web_url)) return {};
            return rule.kind == Kind::web_url ? "must be an http or https URL" : "must be an https URL";
        case Kind::email:
            if (core::parse_email(text)) return {};
            return "must be an email address";
        case Kind::country:
            if (is_country(text)) return {};
            return "must be an ISO 3166-1 alpha-2 code";
        case Kind::currency:
            if (is_currency(text)) return {};
            return "must be an ISO 4217 code";
        case Kind::timezone:
            if (is_timezone(text)) return {};
            return "must be an IANA time zone";
        case Kind::time:
            if (core::parse_rfc3339(text)) return {};
            return "must be an RFC 3339 time";
        case Kind::text_list:
            if (length < 1 || length > 80) return "must hold texts of 1 to 80 characters";
            return {};
        case Kind::text_map:
            if (length > max_map_text) return "must hold texts of at most " + std::to_string(max_map_text) + " characters";
            return {};
        case Kind::id:
            if (core::Uuid::parse(text)) return {};
            return "must be a UUID";
        case Kind::integer:
        case Kind::boolean:
            break;
    }
    return std::string(wanted_type(rule.kind));
}

}  // namespace tradepost::fields
