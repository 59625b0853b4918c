// Comparing answers with what a case expects, and its {{…}}.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tradepost::test {

using Variables = std::map<std::string, std::string>;

// `text` with every {{…}} replaced. Throws std::runtime_error for an unknown name.
std::string expand(std::string_view text, const Variables& variables);

// The token that {{token:NAME}} stands for: 64 hexadecimal characters.
std::string fixture_token(std::string_view name);

// Whether `actual` is `expected`, whose <uuid>, <any> … stand for anything of their kind.
bool matches(std::string_view expected, std::string_view actual);

// One line for each difference; empty when the body is the expected one (see case_file.h for its forms).
std::vector<std::string> body_differences(const std::string& expected, const std::string& actual);

}  // namespace tradepost::test
