// Digests, the operating system's random source, and hexadecimal text of both (core/hex.h).
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "core/hex.h"

namespace tradepost::core {

std::string random_bytes(std::size_t count);      // throws std::system_error when it fails
std::string sha256(std::string_view data);        // 32 raw bytes
std::string fast_hash128(std::string_view data);  // 16 raw bytes of XXH3, for comparing; not for secrets

// Message authentication codes and comparison of secrets.

std::string hmac_sha256(std::string_view key, std::string_view message);  // RFC 2104, 32 raw bytes
bool equal_constant_time(std::string_view a, std::string_view b);         // the time does not depend on where they differ

}  // namespace tradepost::core
