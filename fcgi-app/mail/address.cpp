#include "mail/address.h"

#include <algorithm>
#include <stdexcept>

#include "core/text.h"

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

std::string header_text(std::string_view text) {
    const auto line = one_line(text);
    const bool ascii = std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (ascii && line.size() <= longest_plain && line.find("=?") == std::string::npos) return line;
    return encoded_words(line);
}

std::string header_mailbox(const Mailbox& mailbox) {
    const auto address = core::wire_email(mailbox.address);
    if (!address) throw std::invalid_argument("the address is none that mail can be sent to");
    const auto name = one_line(core::trim(mailbox.name));
    if (name.empty()) return address->text();
    const bool atoms = name.size() <= longest_plain && std::all_of(name.begin(), name.end(), [](char c) {
                           return is_alphanumeric(static_cast<unsigned char>(c)) || c == ' ' || c == '-' || c == '\'';
                       });
    return (atoms ? name : encoded_words(name)) + " <" + address->text() + ">";
}

}  // namespace tradepost::mail
