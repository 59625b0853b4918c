#include "core/said.h"

#include <algorithm>

#include "core/text.h"

namespace tradepost::core {
namespace {

constexpr std::size_t most_read = 4096;
constexpr std::size_t shortest_part = 8;  // of a secret
constexpr std::size_t shortest_token = 32;
constexpr std::string_view mask = "…";

bool is_of_token(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c == '+' ||
           c == '=';
}

// How many bytes at the beginning of `text` are part of the secret.
std::size_t part_of(const std::string& secret, std::string_view text) {
    std::size_t length = std::min(shortest_part, secret.size());
    if (length < 4 || text.size() < length || secret.find(text.substr(0, length)) == std::string::npos) return 0;
    while (length < text.size() && secret.find(text.substr(0, length + 1)) != std::string::npos) ++length;
    return length;
}

std::string masked(std::string_view text, std::span<const std::string> secrets) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto rest = text.substr(at);
        std::size_t hidden = 0;
        for (const auto& secret : secrets) hidden = std::max(hidden, part_of(secret, rest));
        const auto token = std::size_t(std::find_if_not(rest.begin(), rest.end(), is_of_token) - rest.begin());
        if (token >= shortest_token) hidden = std::max(hidden, token);
        if (hidden == 0) {
            out += text[at++];
        } else {
            out += mask;
            at += hidden;
        }
    }
    return out;
}

std::string escaped(unsigned char byte) {
    static constexpr char digits[] = "0123456789abcdef";
    return {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

// Bytes of the character at the beginning.
std::size_t character(std::string_view text) {
    std::size_t length = 1;
    while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) ++length;
    return length;
}

}  // namespace

std::string said(std::string_view answer, std::span<const std::string> secrets) {
    const auto text = masked(answer.substr(0, most_read), secrets);
    std::string line;
    std::string_view rest = trim(text);
    for (std::size_t length = 0, read = 0; !rest.empty(); rest.remove_prefix(length)) {
        length = character(rest);
        read += length;
        if (read > longest_answer) break;
        const auto first = static_cast<unsigned char>(rest[0]);
        const bool of_c1 = first == 0xc2 && length == 2 && static_cast<unsigned char>(rest[1]) < 0xa0;
        if (first == ' ' || (first >= '\t' && first <= '\r')) {
            if (!line.ends_with(' ')) line += ' ';
        } else if (first < ' ' || first == 0x7f || of_c1 || !is_utf8(rest.substr(0, length))) {
            for (const char each : rest.substr(0, length)) line += escaped(static_cast<unsigned char>(each));
        } else {
            line += rest.substr(0, length);
        }
    }
    return std::string(trim(line));
}

}  // namespace tradepost::core
