// Passes for GET /diagnosis: each permits one request. tradepostctl doctor creates them with a key from the database.
#pragma once
#include <chrono>
#include <string>
#include <string_view>

#include "core/time.h"

namespace tradepost::identity {

inline constexpr std::chrono::seconds pass_lifetime{60};
inline constexpr std::string_view pass_key = "diagnosis";  // the name of the key, see InstanceKeys

// 75 characters for a URL: the time, 16 random bytes and their HMAC-SHA-256 by `key`.
std::string make_pass(std::string_view key, core::Time now);

// Whether it has the form of a pass and has not expired. The signature is not verified, so no key is needed.
bool has_pass_form(std::string_view pass, core::Time now);

// Whether it was created with `key`, compared in constant time. A pass that was used is still valid here.
bool verify_pass(std::string_view key, std::string_view pass);

}  // namespace tradepost::identity
