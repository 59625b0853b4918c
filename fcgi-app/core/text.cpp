#include "core/text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/crypto.h"
#include "core/utf8.h"

namespace tradepost::core {
namespace {

constexpr std::string_view ascii_space = " \t\n\v\f\r";

// Length of the well-formed sequence at `p` (RFC 3629, section 4), 0 when there is none before `end`.
std::size_t sequence(const unsigned char* p, const unsigned char* end) {
    const auto tail = [&](int i) { return (p[i] & 0xC0) == 0x80; };
    const std::size_t left = std::size_t(end - p);
    const unsigned char first = p[0];
    if (first < 0x80) return 1;
    if (first < 0xC2) return 0;
    if (first < 0xE0) return left >= 2 && tail(1) ? 2 : 0;
    if (first < 0xF0) {
        if (left < 3 || !tail(1) || !tail(2)) return 0;
        if (first == 0xE0 && p[1] < 0xA0) return 0;   // overlong
        if (first == 0xED && p[1] >= 0xA0) return 0;  // surrogates
        return 3;
    }
    if (first > 0xF4 || left < 4 || !tail(1) || !tail(2) || !tail(3)) return 0;
    if (first == 0xF0 && p[1] < 0x90) return 0;   // overlong
    if (first == 0xF4 && p[1] >= 0x90) return 0;  // above U+10FFFF
    return 4;
}

std::string collapse_white_space(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    bool pending = false;
    for (std::size_t at = 0; at < text.size();) {
        const char32_t c = next_code_point(text, at);
        if (is_white_space(c)) {
            pending = true;
            continue;
        }
        if (pending && !out.empty()) out += ' ';
        pending = false;
        append_code_point(out, c);
    }
    return out;
}

}  // namespace

bool is_utf8(std::string_view text) {
    const auto* p = reinterpret_cast<const unsigned char*>(text.data());
    const auto* end = p + text.size();
    while (p != end) {
        // Most text is ASCII: eight bytes at a time.
        while (end - p >= 8) {
            std::uint64_t block;
            std::memcpy(&block, p, sizeof block);
            if (block & 0x8080808080808080u) break;
            p += 8;
        }
        if (p == end) break;
        const std::size_t length = sequence(p, end);
        if (length == 0) return false;
        p += length;
    }
    return true;
}

std::size_t code_points(std::string_view text) {
    return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string_view trim(std::string_view text) {
    const auto first = text.find_first_not_of(ascii_space);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(ascii_space) - first + 1);
}

std::string lower_ascii(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = char(c + ('a' - 'A'));
    return out;
}

std::string fold_key(std::string_view text) {
    const std::string key = collapse_white_space(fold(text));
    return key.empty() ? key : sha256(key).substr(0, 16);
}

}  // namespace tradepost::core
