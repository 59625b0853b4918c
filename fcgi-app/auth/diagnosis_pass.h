// The right to ask a worker once what reaches it: tradepostctl doctor makes it with a key that only who reads the database has.
#pragma once
#include <chrono>
#include <string>
#include <string_view>

#include "core/time.h"

namespace tradepost::auth {

inline constexpr std::chrono::seconds pass_lives{60};
inline constexpr std::string_view pass_key = "diagnosis";  // its name among the instance's keys

// 75 characters for a URL: the time, 16 random bytes and their HMAC-SHA-256 by `key`.
std::string make_pass(std::string_view key, core::Time now);

// Whether it has the form of a pass that lives at `now`: what is looked at before the key is read.
bool is_pass(std::string_view pass, core::Time now);

// Whether `key` made it, compared in constant time. Says nothing of whether it was used before.
bool pass_opens(std::string_view key, std::string_view pass);

}  // namespace tradepost::auth
