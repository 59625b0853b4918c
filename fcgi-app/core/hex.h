// Hexadecimal text.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::core {

// The value of a digit in either case; -1 for any other character.
constexpr int hex_value(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

inline std::string to_hex(std::string_view bytes) {  // lower case
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const unsigned char byte : bytes) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

// The bytes of an even number of digits in either case; empty (no value) for anything else.
inline std::optional<std::string> from_hex(std::string_view text) {
    if (text.size() % 2 != 0) return {};
    std::string bytes;
    bytes.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = hex_value(text[i]), low = hex_value(text[i + 1]);
        if (high < 0 || low < 0) return {};
        bytes += char(high << 4 | low);
    }
    return bytes;
}

// Whether `text` is what to_hex() makes of so many bytes.
inline bool is_hex_of(std::string_view text, std::size_t bytes) {
    return text.size() == 2 * bytes &&
           std::all_of(text.begin(), text.end(), [](char c) { return hex_value(c) >= 0 && !(c >= 'A' && c <= 'F'); });
}

}  // namespace tradepost::core
