// The session cookie and the CSRF token of the dashboard.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::identity {

// The value of the session cookie in a Cookie field (RFC 6265, section 4.2): exactly 64 lower-case hexadecimal characters. Empty for
// anything else, and when the cookie occurs twice: because of its prefix __Host- no browser sends two.
std::optional<std::string> session_cookie(std::optional<std::string_view> cookie);

// Values of Set-Cookie. The cookie has no date: a closed browser forgets it, and the server ends sessions that were idle too long.
std::string set_session_cookie(std::string_view plain);
std::string clear_session_cookie();

// Whether an X-CSRF-Token field is these bytes in lower-case hexadecimal, compared in constant time.
bool csrf_token_matches(std::optional<std::string_view> field, std::string_view csrf_token);

}  // namespace tradepost::identity
