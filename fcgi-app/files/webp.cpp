#include "files/webp.h"

#include <cstdint>

namespace tradepost::files {
namespace {

std::uint32_t number(std::string_view bytes) {
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[std::size_t(i)]);
    return value;
}

std::string number(std::uint32_t value) {
    return {char(value), char(value >> 8), char(value >> 16), char(value >> 24)};
}

constexpr char alpha_flag = 0x10;

}  // namespace

std::optional<std::string> strip_webp(std::string_view file) {
    if (file.size() < 12 || !file.starts_with("RIFF") || file.substr(8, 4) != "WEBP" || number(file.substr(4)) != file.size() - 8)
        return {};
    std::string body = "WEBP";
    int pictures = 0;
    for (std::size_t at = 12; at < file.size();) {
        if (file.size() - at < 8) return {};
        const auto name = file.substr(at, 4);
        const std::uint64_t size = number(file.substr(at + 4)), padded = size + (size & 1);
        if (padded > file.size() - at - 8) return {};
        auto chunk = std::string(file.substr(at, std::size_t(8 + padded)));
        at += chunk.size();
        if (name == "VP8X") {
            if (size != 10) return {};
            chunk[8] &= alpha_flag;
        } else if (name == "VP8 " || name == "VP8L") {
            ++pictures;
        } else if (name != "ALPH") {
            continue;
        }
        body += chunk;
    }
    if (pictures != 1) return {};
    return "RIFF" + number(std::uint32_t(body.size())) + body;
}

}  // namespace tradepost::files
