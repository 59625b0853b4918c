// Names for errors that stay when a text is worded anew: what programs compare. `x-error-codes` of openapi.yaml explains each.
#pragma once
#include <span>
#include <string_view>

namespace tradepost::http {

// The code of an answer's error, by its text: "not_found". A text without a row gets a code of its status.
std::string_view error_code(int status, std::string_view external);

// The code of what is wrong with one field or parameter, by the reason as it follows the name: "must be a string" is "type".
std::string_view fault_code(std::string_view reason);

struct ErrorCode {
    std::string_view text;  // with which the text or the reason begins
    std::string_view code;
};
std::span<const ErrorCode> error_codes();
std::span<const ErrorCode> fault_codes();

// What no row of fault_codes() has.
inline constexpr std::string_view other_fault = "rule";

}  // namespace tradepost::http
