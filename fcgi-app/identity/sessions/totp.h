// Time-based one-time passwords (RFC 6238) in the form that every authenticator app knows: six digits, 30 seconds, HMAC-SHA-1.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/time.h"

namespace tradepost::identity {

// 20 random bytes (RFC 4226, section 4, R6).
std::string new_totp_secret();

// The time step whose code this is: that of `now`, or the one before or after it, since clocks differ. Only steps after `last_step`
// count, so that a code that was seen on its way is of no use. Empty when it is the code of none.
std::optional<std::int64_t> totp_step(std::string_view secret, std::string_view code, std::int64_t last_step, core::Time now);

// Base32 without padding (RFC 4648, section 6), in which secrets are typed and recovery codes written.
std::string to_base32(std::string_view bytes);

}  // namespace tradepost::identity
