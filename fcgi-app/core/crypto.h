// Digests and the operating system's random source.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace tradepost::core {

std::string random_bytes(std::size_t count);      // throws std::system_error when there are none
std::string sha256(std::string_view data);        // 32 raw bytes
std::string to_hex(std::string_view bytes);       // lower case
std::string fast_hash128(std::string_view data);  // 16 raw bytes of XXH3: equal or not, nothing secret

}  // namespace tradepost::core
