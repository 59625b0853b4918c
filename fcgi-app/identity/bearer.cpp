#include "identity/bearer.h"

#include <algorithm>

#include "core/hex.h"
#include "core/text.h"

namespace tradepost::identity {
namespace {

// The text after the scheme. Empty (no value) for another scheme.
std::optional<std::string_view> credentials(std::optional<std::string_view> authorization) {
    constexpr std::string_view scheme = "bearer";
    if (!authorization) return {};
    const auto first = authorization->find_first_not_of(" \t");  // white space around a field's value is no part of it
    if (first == std::string_view::npos) return {};
    auto rest = authorization->substr(first, authorization->find_last_not_of(" \t") - first + 1);
    if (core::lower_ascii(rest.substr(0, scheme.size())) != scheme) return {};
    rest.remove_prefix(scheme.size());
    if (!rest.empty() && rest[0] != ' ') return {};
    return rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
}

}  // namespace

bool is_bearer(std::optional<std::string_view> authorization) {
    return credentials(authorization).has_value();
}

std::optional<std::string> bearer_token(std::optional<std::string_view> authorization) {
    const auto token = credentials(authorization);
    if (!token || !core::is_hex_of(*token, 32)) return {};
    return std::string(*token);
}

}  // namespace tradepost::identity
