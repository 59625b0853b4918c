#include "auth/session_cookie.h"

#include <openssl/crypto.h>

#include <algorithm>

#include "core/crypto.h"
#include "core/text.h"

namespace tradepost::auth {
namespace {

constexpr std::string_view name = "__Host-session";
// The prefix __Host- makes browsers demand Secure and Path=/, and no Domain (RFC 6265bis, section 4.1.3.2).
constexpr std::string_view attributes = "; Path=/; Secure; HttpOnly; SameSite=Strict";

bool is_session(std::string_view text) {
    return text.size() == 64 &&
           std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string cookie_with(std::string_view value) {
    return std::string(name).append("=").append(value).append(attributes);
}

}  // namespace

std::optional<std::string> session_cookie(std::optional<std::string_view> cookie) {
    if (!cookie) return {};
    std::optional<std::string_view> found;
    for (auto rest = *cookie; !rest.empty();) {
        const auto end = rest.find(';');
        const auto pair = core::trim(rest.substr(0, end));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        const auto equals = pair.find('=');
        if (equals == std::string_view::npos || pair.substr(0, equals) != name) continue;
        if (found) return {};
        found = pair.substr(equals + 1);
    }
    if (!found || !is_session(*found)) return {};
    return std::string(*found);
}

std::string give_session_cookie(std::string_view plain) {
    return cookie_with(plain);
}

std::string take_session_cookie() {
    return cookie_with("") + "; Max-Age=0";
}

bool csrf_token_fits(std::optional<std::string_view> field, std::string_view csrf_token) {
    const auto expected = core::to_hex(csrf_token);
    return field && field->size() == expected.size() && CRYPTO_memcmp(field->data(), expected.data(), expected.size()) == 0;
}

}  // namespace tradepost::auth
