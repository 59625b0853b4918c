#include "core/email.h"

#include <utf8proc.h>

#include <algorithm>

#include "core/host.h"
#include "core/text.h"

namespace tradepost::core {
namespace {

constexpr std::size_t longest = 254;  // code points

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; });
}

// Of valid UTF-8. No-break spaces and the like come with what people copy, and nobody sees them.
bool has_space_or_control(std::string_view text) {
    utf8proc_int32_t code = 0;
    for (utf8proc_ssize_t length = 0; !text.empty(); text.remove_prefix(std::size_t(length))) {
        length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), utf8proc_ssize_t(text.size()), &code);
        if (length <= 0) return true;
        switch (utf8proc_category(code)) {
            case UTF8PROC_CATEGORY_ZS:
            case UTF8PROC_CATEGORY_ZL:
            case UTF8PROC_CATEGORY_ZP:
            case UTF8PROC_CATEGORY_CC:
                return true;
            default:
                break;
        }
    }
    return false;
}

// Whether it needs no quotes: atoms joined by single dots (RFC 5322, section 3.2.3, and RFC 6532).
bool is_dot_atom(std::string_view local) {
    if (local.starts_with('.') || local.ends_with('.') || local.find("..") != std::string_view::npos) return false;
    return local.find_first_of("()[]:;\\") == std::string_view::npos;
}

std::string in_quotes(std::string_view local) {
    std::string text = "\"";
    for (const char c : local) {
        if (c == '\\') text += '\\';
        text += c;
    }
    return text + '"';
}

}  // namespace

std::optional<std::string> parse_email(std::string_view text) {
    text = trim(text);
    const auto at = text.find('@');
    if (at == std::string_view::npos || at == 0 || text.rfind('@') != at) return {};
    if (!is_utf8(text) || code_points(text) > longest || has_space_or_control(text)) return {};
    if (text.find_first_of("<>,\"") != std::string_view::npos || text.ends_with('.')) return {};
    if (!is_host(text.substr(at + 1))) return {};
    return std::string(text);
}

bool is_public_email(std::string_view text) {
    const auto address = parse_email(text);
    return address && is_public_name(std::string_view(*address).substr(address->find('@') + 1));
}

std::optional<WireEmail> wire_email(std::string_view text) {
    const auto address = parse_email(text);
    if (!address) return {};
    const auto at = address->find('@');
    const auto local = address->substr(0, at);
    return WireEmail{is_dot_atom(local) ? local : in_quotes(local), ascii_name(address->substr(at + 1)).value_or(""),
                     is_ascii(local)};
}

std::optional<Mailbox> parse_mailbox(std::string_view text) {
    text = trim(text);
    Mailbox mailbox;
    if (const auto angle = text.find('<'); angle != std::string_view::npos && text.ends_with('>')) {
        mailbox.name = trim(text.substr(0, angle));
        text = text.substr(angle + 1, text.size() - angle - 2);
        if (mailbox.name.find_first_of("\"<>\r\n") != std::string::npos) return {};
    }
    auto address = parse_email(text);
    if (!address) return {};
    mailbox.address = std::move(*address);
    return mailbox;
}

}  // namespace tradepost::core
