// Which passwords may be chosen (NIST SP 800-63B, 5.1.1.2; OWASP ASVS 5, 6.2).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fields/field.h"

namespace tradepost::identity {

inline constexpr std::int64_t min_password_length = 12, max_password_length = 256;  // code points
inline constexpr fields::Rule new_password_rule{
    fields::Kind::text, fields::Presence::required, min_password_length, max_password_length, {}, {}, fields::Lines::exact};

// Why a user with this email and name may not choose the password, whose length counts in NFC, as it is told after the name of a field: "must be …", "must not
// be …". Empty when it may be chosen. Throws std::runtime_error when cracklib's dictionary of common words cannot be read.
std::optional<std::string> password_fault(std::string_view password, std::string_view email, std::string_view name);

}  // namespace tradepost::identity
