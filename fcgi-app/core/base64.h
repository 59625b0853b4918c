// Base64 (RFC 4648), decoded strictly: only one text is accepted for each sequence of bytes.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::core {

// The standard alphabet with padding (section 4). Empty for anything else, white space and surplus bits included.
std::optional<std::string> from_base64(std::string_view text);
std::string to_base64(std::string_view bytes);

// The URL alphabet without padding (section 5).
std::string to_base64url(std::string_view bytes);
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace tradepost::core
