// Reading and writing single code points of UTF-8.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace tradepost::core {

// The code point that begins at `at`, which is advanced past it. `text` is valid UTF-8, and `at` is a boundary below its size.
inline char32_t next_code_point(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return char32_t(static_cast<unsigned char>(text[i])); };
    const char32_t first = byte(at);
    if (first < 0x80) return at += 1, first;
    if (first < 0xE0) return at += 2, (first & 0x1F) << 6 | (byte(at - 1) & 0x3F);
    if (first < 0xF0) return at += 3, (first & 0x0F) << 12 | (byte(at - 2) & 0x3F) << 6 | (byte(at - 1) & 0x3F);
    return at += 4, (first & 0x07) << 18 | (byte(at - 3) & 0x3F) << 12 | (byte(at - 2) & 0x3F) << 6 | (byte(at - 1) & 0x3F);
}

inline void append_code_point(std::string& text, char32_t c) {
    if (c < 0x80) {
        text += char(c);
    } else if (c < 0x800) {
        text += {char(0xC0 | c >> 6), char(0x80 | (c & 0x3F))};
    } else if (c < 0x10000) {
        text += {char(0xE0 | c >> 12), char(0x80 | (c >> 6 & 0x3F)), char(0x80 | (c & 0x3F))};
    } else {
        text += {char(0xF0 | c >> 18), char(0x80 | (c >> 12 & 0x3F)), char(0x80 | (c >> 6 & 0x3F)), char(0x80 | (c & 0x3F))};
    }
}

// White space of any script (the Unicode property White_Space).
inline bool is_white_space(char32_t c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
           c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

// The property Default_Ignorable_Code_Point (DerivedCoreProperties.txt), unassigned code points included.
inline bool is_ignorable(char32_t c) {
    return c == 0x00AD || c == 0x034F || c == 0x061C || c == 0x115F || c == 0x1160 || c == 0x17B4 || c == 0x17B5 ||
           (c >= 0x180B && c <= 0x180F) || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || c == 0x3164 || (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF || c == 0xFFA0 ||
           (c >= 0xFFF0 && c <= 0xFFF8) || (c >= 0x1BCA0 && c <= 0x1BCA3) || (c >= 0x1D173 && c <= 0x1D17A) ||
           (c >= 0xE0000 && c <= 0xE0FFF);
}

// A control character (category Cc), or a separator of lines or paragraphs. NUL is none: texts with it are refused.
inline bool is_control(char32_t c) {
    return (c >= 0x01 && c <= 0x1F) || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029;
}

}  // namespace tradepost::core
