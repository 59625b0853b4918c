// Base64 (RFC 4648), read strictly: one text for each sequence of bytes.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::core {

// The standard alphabet with its padding (section 4); empty for anything else, white space and bits behind the last byte
// included.
std::optional<std::string> from_base64(std::string_view text);

// The alphabet for URLs without padding (section 5).
std::string to_base64url(std::string_view bytes);
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace tradepost::core
