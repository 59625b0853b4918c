// bcrypt as PHP's password_hash() writes it, for imported hashes only.
#pragma once
#include <optional>
#include <string_view>

namespace tradepost::auth {

// The binary logarithm of the rounds of a `$2y$`, `$2b$` or `$2a$` hash; empty when the text is none.
std::optional<int> bcrypt_cost(std::string_view hash);

// As password_verify(): only the first 72 bytes of the password count. A password with a NUL byte is wrong, because what
// such hashes were made from ended there.
bool bcrypt_verify(std::string_view password, std::string_view hash);

}  // namespace tradepost::auth
