// Request bodies and import lines as JSON, read strictly.
#pragma once
#include <nlohmann/json.hpp>
#include <string_view>

#include "json/value.h"

namespace tradepost::json {

inline constexpr int max_depth = 32;
// A value takes up to some hundred times the bytes of its text, such as "{},".
inline constexpr int max_values = 50'000;

// RFC 8259 text and nothing around it. Throws http::invalid_json() for anything else, and for a byte order mark, a NUL byte, a name
// twice in one object, a lone surrogate, invalid UTF-8, more than max_depth levels
// or max_values values, or a number that does not fit.
Json parse(std::string_view text);

// Its shortest form, the names of objects in alphabetical order. Throws nlohmann's exception for text that is no valid UTF-8.
std::string dump(const Json& value);

}  // namespace tradepost::json
