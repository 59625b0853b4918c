// The id under which client, nginx and log know a request.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "core/crypto.h"

namespace tradepost::http {

// The client's own id when it is 1–128 characters of A-Za-z0-9._-; else 32 random hexadecimal characters.
inline std::string request_id(std::optional<std::string_view> incoming) {
    const auto allowed = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    };
    if (incoming && !incoming->empty() && incoming->size() <= 128 && std::all_of(incoming->begin(), incoming->end(), allowed))
        return std::string(*incoming);
    return core::to_hex(core::random_bytes(16));
}

}  // namespace tradepost::http
