// The dashboard's session in requests and answers.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::auth {

// What the session's cookie holds, of a Cookie field (RFC 6265, section 4.2): exactly 64 lower-case hexadecimal characters. Empty
// for anything else, and when the cookie is there twice: the prefix __Host- leaves a browser no way to send two.
std::optional<std::string> session_cookie(std::optional<std::string_view> cookie);

// Values of Set-Cookie. It has no date: a browser that is closed forgets it, and the server knows when it was idle too long.
std::string give_session_cookie(std::string_view plain);
std::string take_session_cookie();

// Whether an X-CSRF-Token field holds these bytes in lower-case hexadecimal. Takes the same time wherever they differ.
bool csrf_token_fits(std::optional<std::string_view> field, std::string_view csrf_token);

}  // namespace tradepost::auth
