// The answer of another server, for operators: in the log, and in the list of messages.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace tradepost::core {

inline constexpr std::size_t longest_answer = 200;  // bytes

// The first longest_answer bytes in one line of UTF-8: white space becomes one space, other control characters and invalid bytes are
// escaped as \x1b. Servers repeat what they got: parts of `secrets` of eight or more bytes and anything that looks like a token become "…".
std::string said(std::string_view answer, std::span<const std::string> secrets = {});

// Comes before it where our own words are before it. Nobody but operators is shown what is behind (webhooks/deliveries.cpp).
inline constexpr std::string_view it_said = "; it said: ";

}  // namespace tradepost::core
