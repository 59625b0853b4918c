// A user: a person who signs in.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/time.h"
#include "core/uuid.h"

namespace tradepost::identity {

struct User {
    core::Uuid id;
    std::string email;  // as entered, trimmed
    std::string name;
    std::optional<std::string> password_hash;  // none: cannot sign in with a password
    std::optional<core::Time> disabled_at;
    core::Time created_at, updated_at;
};

inline constexpr std::int64_t max_email_length = 254;      // code points
inline constexpr std::size_t max_email_key_length = 1024;  // bytes: what the columns hold
inline constexpr std::size_t max_password_bytes = 1024;

// The form in which addresses are compared: trimmed, case-folded (Unicode, full) and composed (NFC). Accents stay, since they tell
// people apart. In text that is not valid UTF-8 only ASCII letters are folded.
std::string email_key(std::string_view email);

// Whether the columns can hold its key: that of an address that Kind::email takes may be longer, since letters can fold into several.
bool has_storable_key(std::string_view email);

}  // namespace tradepost::identity
