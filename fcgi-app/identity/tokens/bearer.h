// Bearer tokens in requests (RFC 6750).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tradepost::identity {

// Whether the scheme of an Authorization field is Bearer, in upper or lower case, whatever follows it.
bool is_bearer(std::optional<std::string_view> authorization);

// The token of such a field: after the scheme one or more spaces and exactly 64 lower-case hexadecimal characters (RFC 9110,
// section 11.4). Empty for anything else.
std::optional<std::string> bearer_token(std::optional<std::string_view> authorization);

// What has the form of a token in a text such as an address: 64 lower-case hexadecimal characters, and no such character beside them. They are
// parts of the text.
std::vector<std::string_view> tokens_in(std::string_view text);

}  // namespace tradepost::identity
