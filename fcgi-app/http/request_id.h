// The id of a request, for the client, nginx and the log.
#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/crypto.h"

namespace tradepost::http {

inline constexpr std::size_t longest_request_id = 128;

// 1–128 characters of A-Za-z0-9._-.
inline bool is_request_id(std::string_view text) {
    const auto allowed = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    };
    return !text.empty() && text.size() <= longest_request_id && std::all_of(text.begin(), text.end(), allowed);
}

// The client's own id when it is valid; else 32 random hexadecimal characters.
inline std::string request_id(std::optional<std::string_view> incoming) {
    if (incoming && is_request_id(*incoming)) return std::string(*incoming);
    return core::to_hex(core::random_bytes(16));
}

}  // namespace tradepost::http
