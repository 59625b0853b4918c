// Bearer tokens in requests (RFC 6750).
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::auth {

// The token of an Authorization field: its scheme is Bearer in any case, one or more spaces, exactly 64 lower-case hexadecimal
// characters (RFC 9110, section 11.4). Empty for anything else.
std::optional<std::string> bearer_token(std::optional<std::string_view> authorization);

}  // namespace tradepost::auth
