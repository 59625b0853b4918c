#include "core/base64.h"

#include <array>
#include <cstdint>

namespace tradepost::core {
namespace {

constexpr char url_alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t none = 64;

constexpr std::array<std::uint8_t, 256> values(const char* letters) {
    std::array<std::uint8_t, 256> table{};
    table.fill(none);
    for (std::uint8_t i = 0; i < 64; ++i) table[static_cast<unsigned char>(letters[i])] = i;
    return table;
}

// Without padding.
std::optional<std::string> decode(std::string_view text, const std::array<std::uint8_t, 256>& table) {
    if (text.size() % 4 == 1) return {};
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto value = table[static_cast<unsigned char>(text[i])];
        if (value == none) return {};
        bits = bits << 6 | value;
        if (i % 4 != 3) continue;
        bytes += char(bits >> 16);
        bytes += char(bits >> 8);
        bytes += char(bits);
        bits = 0;
    }
    if (text.size() % 4 == 2) {
        if (bits & 0xf) return {};
        bytes += char(bits >> 4);
    } else if (text.size() % 4 == 3) {
        if (bits & 0x3) return {};
        bytes += char(bits >> 10);
        bytes += char(bits >> 2);
    }
    return bytes;
}

// Without padding.
std::string encode(std::string_view bytes, const char* letters) {
    std::string text;
    text.reserve(bytes.size() / 3 * 4 + 4);
    std::uint32_t bits = 0;
    int count = 0;
    for (const unsigned char byte : bytes) {
        bits = bits << 8 | byte;
        for (count += 8; count >= 6; count -= 6) text += letters[bits >> (count - 6) & 63];
    }
    if (count > 0) text += letters[bits << (6 - count) & 63];
    return text;
}

}  // namespace

std::optional<std::string> from_base64(std::string_view text) {
    static constexpr auto table = values(alphabet);
    if (text.size() % 4 != 0) return {};
    for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
    return decode(text, table);
}

std::optional<std::string> from_base64url(std::string_view text) {
    static constexpr auto table = values(url_alphabet);
    return decode(text, table);
}

std::string to_base64(std::string_view bytes) {
    auto text = encode(bytes, alphabet);
    text.resize((text.size() + 3) / 4 * 4, '=');
    return text;
}

std::string to_base64url(std::string_view bytes) {
    return encode(bytes, url_alphabet);
}

}  // namespace tradepost::core
