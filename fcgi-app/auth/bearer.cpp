#include "auth/bearer.h"

#include <algorithm>

#include "core/text.h"

namespace tradepost::auth {

std::optional<std::string> bearer_token(std::optional<std::string_view> authorization) {
    constexpr std::string_view scheme = "bearer";
    constexpr std::size_t token_length = 64;
    if (!authorization) return {};
    auto rest = *authorization;
    const auto first = rest.find_first_not_of(" \t");  // white space around a field's value is no part of it
    if (first == std::string_view::npos) return {};
    rest = rest.substr(first, rest.find_last_not_of(" \t") - first + 1);
    if (core::lower_ascii(rest.substr(0, scheme.size())) != scheme) return {};
    rest.remove_prefix(scheme.size());
    const auto token = rest.find_first_not_of(' ');
    if (token == 0 || token == std::string_view::npos) return {};
    rest.remove_prefix(token);
    const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    if (rest.size() != token_length || !std::all_of(rest.begin(), rest.end(), is_hex)) return {};
    return std::string(rest);
}

}  // namespace tradepost::auth
