#include "mail/address.h"

#include <algorithm>

#include "core/text.h"
#include "fields/field.h"

namespace tradepost::mail {
namespace {

constexpr std::size_t longest_plain = 200;        // a line may have 998 bytes
constexpr std::size_t longest_encoded_word = 75;  // RFC 2047, section 2

bool is_alphanumeric(unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// One line of valid UTF-8; bytes that are not become question marks.
std::string one_line(std::string_view text) {
    std::string line(text);
    const bool valid = core::is_utf8(text);
    for (char& c : line) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < ' ' || byte == 0x7f) c = ' ';
        if (byte >= 0x80 && !valid) c = '?';
    }
    return line;
}

// Section 4.2, with what is safe in names too (section 5).
std::string encoded(std::string_view character) {
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string text;
    for (const char c : character) {
        const auto byte = static_cast<unsigned char>(c);
        if (is_alphanumeric(byte))
            text += c;
        else if (c == ' ')
            text += '_';
        else
            text.append({'=', digits[byte >> 4], digits[byte & 15]});
    }
    return text;
}

std::string encoded_words(std::string_view line) {
    static constexpr std::string_view begin = "=?UTF-8?Q?", end = "?=";
    std::string text(begin);
    std::size_t length = begin.size();
    for (std::size_t at = 0; at < line.size();) {
        std::size_t next = at + 1;  // a character is never divided
        while (next < line.size() && (static_cast<unsigned char>(line[next]) & 0xc0) == 0x80) ++next;
        const auto character = encoded(line.substr(at, next - at));
        if (length + character.size() + end.size() > longest_encoded_word) {
            text.append(end).append("\r\n ").append(begin);
            length = begin.size();
        }
        text += character;
        length += character.size();
        at = next;
    }
    return text.append(end);
}

}  // namespace

bool is_deliverable(std::string_view address) {
    const auto unsafe = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte <= ' ' || byte == 0x7f || std::string_view("<>()[],;:\\\"").find(c) != std::string_view::npos;
    };
    return fields::is_email(address) && core::is_utf8(address) && std::none_of(address.begin(), address.end(), unsafe);
}

std::optional<Mailbox> parse_mailbox(std::string_view text) {
    text = core::trim(text);
    Mailbox mailbox;
    if (const auto angle = text.find('<'); angle != std::string_view::npos && text.ends_with('>')) {
        mailbox.name = core::trim(text.substr(0, angle));
        text = text.substr(angle + 1, text.size() - angle - 2);
        if (mailbox.name.find_first_of("\"<>\r\n") != std::string::npos) return {};
    }
    mailbox.address = text;
    if (!is_deliverable(mailbox.address)) return {};
    return mailbox;
}

std::string header_text(std::string_view text) {
    const auto line = one_line(text);
    const bool ascii = std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (ascii && line.size() <= longest_plain && line.find("=?") == std::string::npos) return line;
    return encoded_words(line);
}

std::string header_mailbox(const Mailbox& mailbox) {
    const auto name = one_line(core::trim(mailbox.name));
    if (name.empty()) return mailbox.address;
    const bool atoms = name.size() <= longest_plain && std::all_of(name.begin(), name.end(), [](char c) {
                           return is_alphanumeric(static_cast<unsigned char>(c)) || c == ' ' || c == '-' || c == '\'';
                       });
    return (atoms ? name : encoded_words(name)) + " <" + mailbox.address + ">";
}

}  // namespace tradepost::mail
