// Verification of the hashes of WordPress, for imported users: phpass in its portable form, `$P$`, and from WordPress 6.8 bcrypt of a
// digest of the password, `$wp$2y$`.
//
// WordPress hashes a password without white space at its ends, and as PHP's addslashes() writes it, because its forms are not unescaped
// (wp_signon(), wp_hash_password()). Other programs with phpass hash what was typed. A password in which the two differ is tried in both
// forms.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace tradepost::identity {

// The binary logarithm of the number of rounds of a `$P$` hash; empty for any other text.
std::optional<int> phpass_cost(std::string_view hash);

// The highest cost that a worker is made to pay for: 0.1 s with the longest password. WordPress uses 13. An import refuses a higher one.
inline constexpr int most_phpass_cost = 16;

// False for a damaged hash.
bool phpass_verify(std::string_view password, std::string_view hash);

// Takes as long as phpass_verify() with a hash of so many rounds.
void phpass_waste(std::string_view password, std::uint64_t rounds);

// The bcrypt hash within a `$wp$2y$` hash; empty for any other text.
std::string_view wordpress_bcrypt(std::string_view hash);

// As bcrypt_verify() and bcrypt_waste(), for the hash that wordpress_bcrypt() returns. All bytes of the password count.
bool wordpress_verify(std::string_view password, std::string_view bcrypt_hash);
void wordpress_waste(std::string_view password, int cost);

}  // namespace tradepost::identity
