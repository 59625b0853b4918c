// Verification of bcrypt hashes of PHP's password_hash(), for imported users.
#pragma once
#include <optional>
#include <string_view>

namespace tradepost::identity {

// The binary logarithm of the number of rounds of a `$2y$`, `$2b$` or `$2a$` hash; empty for any other text.
std::optional<int> bcrypt_cost(std::string_view hash);

// The highest cost that a worker is made to pay for: 0.4 s. An import refuses a higher one.
inline constexpr int most_bcrypt_cost = 13;

// As password_verify(): only the first 72 bytes of the password count. A password with a NUL byte is wrong, because PHP hashed the
// bytes before it alone.
bool bcrypt_verify(std::string_view password, std::string_view hash);

// Takes as long as bcrypt_verify() with a hash of this cost; costs below 4 do not exist and take no time.
void bcrypt_waste(std::string_view password, int cost);

}  // namespace tradepost::identity
