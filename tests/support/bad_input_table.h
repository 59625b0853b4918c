// Requests that nobody means well with: targets, bodies and headers to combine.
#pragma once
#include <string>
#include <vector>

namespace tradepost::test {

// The text `count` times.
std::string repeat(const std::string& text, int count);
// Query strings; all for every list.
std::vector<std::string> nasty_queries();
// Last segments of a detail's path.
std::vector<std::string> nasty_segments();
// Bodies, most of them no JSON or no credentials.
std::vector<std::string> nasty_bodies();
std::vector<std::string> nasty_content_types();
// Values for Authorization, If-None-Match, Accept and others; without line breaks and NUL, which no client can send.
std::vector<std::string> nasty_header_values();

}  // namespace tradepost::test
