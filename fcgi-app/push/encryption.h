// The encryption of push messages: only the browser that made the subscription can read them (RFC 8291, with the content encoding aes128gcm
// of RFC 8188).
#pragma once
#include <string>
#include <string_view>

#include "push/key.h"

namespace tradepost::push {

inline constexpr std::size_t auth_bytes = 16, salt_bytes = 16;

// What push services take at least: the body has at most 4096 bytes.
inline constexpr std::size_t longest_message = 4096 - (salt_bytes + 4 + 1 + public_bytes) - 16 - 1;

// The body of the request. `own` and `salt` are for this message alone. Throws std::invalid_argument for what is no public key, or for a message
// that is too long.
std::string encrypt(std::string_view message, std::string_view browser_public, std::string_view browser_auth, const Key& own,
                    std::string_view salt);

}  // namespace tradepost::push
