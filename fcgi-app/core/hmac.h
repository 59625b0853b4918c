// Message authentication codes.
#pragma once
#include <string>
#include <string_view>

namespace tradepost::core {

std::string hmac_sha256(std::string_view key, std::string_view message);  // RFC 2104, 32 raw bytes
bool same_bytes(std::string_view a, std::string_view b);                  // in a time that tells nothing of where they differ

}  // namespace tradepost::core
