#include "identity/tokens/bearer.h"

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

std::vector<std::string_view> tokens_in(std::string_view text) {
    const auto is_part = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    std::vector<std::string_view> found;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::find_if_not(text.begin() + std::ptrdiff_t(at), text.end(), is_part) - text.begin();
        if (std::size_t(end) - at == 64) found.push_back(text.substr(at, 64));
        at = std::size_t(end) + 1;
    }
    return found;
}

}  // namespace tradepost::identity
