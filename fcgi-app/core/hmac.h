// Message authentication codes and comparison of secrets.
#pragma once
#include <string>
#include <string_view>

namespace tradepost::core {

std::string hmac_sha256(std::string_view key, std::string_view message);  // RFC 2104, 32 raw bytes
bool equal_constant_time(std::string_view a, std::string_view b);         // the time does not depend on where they differ

}  // namespace tradepost::core
