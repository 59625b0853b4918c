#include "identity/sessions/session_cookie.h"

#include "core/crypto.h"
#include "core/hex.h"
#include "core/text.h"

namespace tradepost::identity {
namespace {

constexpr std::string_view name = "__Host-session";
// The prefix __Host- makes browsers demand Secure and Path=/, and no Domain (RFC 6265bis, section 4.1.3.2).
constexpr std::string_view attributes = "; Path=/; Secure; HttpOnly; SameSite=Strict";

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
    if (!found || !core::is_hex_of(*found, 32)) return {};
    return std::string(*found);
}

std::string set_session_cookie(std::string_view plain) {
    return cookie_with(plain);
}

std::string clear_session_cookie() {
    return cookie_with("") + "; Max-Age=0";
}

bool csrf_token_matches(std::optional<std::string_view> field, std::string_view csrf_token) {
    return field && core::equal_constant_time(*field, core::to_hex(csrf_token));
}

}  // namespace tradepost::identity
