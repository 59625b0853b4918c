#include "fields/field.h"

#include <algorithm>
#include <charconv>

#include "core/text.h"
#include "fields/codes.h"

namespace tradepost::fields {
namespace {

std::string length_text(const Rule& rule) {
    if (rule.min > 0) return "must be " + std::to_string(rule.min) + " to " + std::to_string(rule.max) + " characters long";
    return "must be at most " + std::to_string(rule.max) + " characters long";
}

bool is_label(std::string_view label) {
    if (label.empty() || core::code_points(label) > 63 || label.front() == '-' || label.back() == '-') return false;
    return std::all_of(label.begin(), label.end(), [](unsigned char c) {
        return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    });
}

// Labels joined by single dots (RFC 1123, section 2.1), international ones too; one dot may end it.
bool is_host(std::string_view host) {
    if (host.size() > 253) return false;
    while (true) {
        const auto dot = host.find('.');
        if (!is_label(host.substr(0, dot))) return false;
        if (dot == std::string_view::npos || dot + 1 == host.size()) return true;
        host.remove_prefix(dot + 1);
    }
}

bool is_port(std::string_view text) {
    unsigned port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size() && port <= 65535;
}

// scheme://host[:port][/…]: no user name, no white space, no control characters.
bool is_url(std::string_view text, bool http_too) {
    const std::string lower = core::lower_ascii(text.substr(0, 8));
    if (lower.starts_with("https://"))
        text.remove_prefix(8);
    else if (http_too && lower.starts_with("http://"))
        text.remove_prefix(7);
    else
        return false;
    if (std::any_of(text.begin(), text.end(),
                    [](unsigned char c) { return c <= ' ' || c == 0x7f || c == '"' || c == '<' || c == '>' || c == '\\'; }))
        return false;
    auto authority = text.substr(0, text.find_first_of("/?#"));
    if (const auto colon = authority.rfind(':'); colon != std::string_view::npos) {
        if (!is_port(authority.substr(colon + 1))) return false;
        authority = authority.substr(0, colon);
    }
    return is_host(authority);
}

}  // namespace

bool is_email(std::string_view text) {
    const auto at = text.rfind('@');
    if (at == std::string_view::npos || at == 0 || text.find('@') != at || core::code_points(text) > 254) return false;
    if (std::any_of(text.begin(), text.end(),
                    [](unsigned char c) { return c <= ' ' || c == 0x7f || c == '<' || c == '>' || c == ',' || c == '"'; }))
        return false;
    return is_host(text.substr(at + 1)) && text.back() != '.';
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
        case Kind::choice: {
            if (std::find(rule.choices.begin(), rule.choices.end(), text) != rule.choices.end()) return {};
            std::string list;
            for (const auto choice : rule.choices) list.append(list.empty() ? "" : ", ").append(choice);
            return "must be one of " + list;
        }
        case Kind::https_url:
        case Kind::web_url:
            if (length > rule.max) return length_text(rule);
            if (is_url(text, rule.kind == Kind::web_url)) return {};
            return rule.kind == Kind::web_url ? "must be an http or https URL" : "must be an https URL";
        case Kind::email:
            if (is_email(text)) return {};
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
