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

}  // namespace tradepost::core
