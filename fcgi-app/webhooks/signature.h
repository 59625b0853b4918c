// The signatures of Standard Webhooks (https://www.standardwebhooks.com), symmetric.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"

namespace tradepost::webhooks {

inline constexpr std::size_t secret_bytes = 32;

std::string new_secret();  // secret_bytes at random

// As it is shown: whsec_ and base64.
std::string secret_text(std::string_view secret);

// The value of webhook-signature: "v1,BASE64" for each of the secrets. `sent_at`: seconds since 1970, the value of webhook-timestamp.
std::string sign(std::span<const std::string> secrets, std::string_view id, std::int64_t sent_at, std::string_view body);

// The headers of a signed request: webhook-id, webhook-timestamp and webhook-signature.
std::vector<std::string> signed_headers(std::span<const std::string> secrets, std::string_view id, core::Time sent_at,
                                        std::string_view body);

}  // namespace tradepost::webhooks
