#include "push/subscription.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base64.h"
#include "core/text.h"
#include "core/url.h"
#include "http/error.h"
#include "json/parse.h"
#include "push/encryption.h"

namespace tradepost::push {
namespace {

constexpr std::string_view https = "https://";

// Empty when it has no such text.
std::string text_of(const json::Json& object, const char* name) {
    if (!object.is_object()) return {};
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Some libraries pad what browsers do not.
std::string bytes_of(std::string text) {
    while (text.ends_with('=')) text.pop_back();
    return core::from_base64url(text).value_or("");
}

// https://HOST[:PORT] of an address, in ASCII; empty for what is none.
std::string origin_of(std::string_view text) {
    const auto sent = core::wire_url(text);
    const std::string_view address = core::text_of(sent);
    const auto visible = [](unsigned char c) { return c > ' ' && c < 0x7F && c != '"' && c != '\\'; };
    if (!address.starts_with(https) || !std::all_of(address.begin(), address.end(), visible)) return {};
    const auto rest = address.substr(https.size());
    auto authority = rest.substr(0, rest.find_first_of("/?#"));
    if (authority.ends_with(":443")) authority.remove_suffix(4);
    if (authority.empty() || authority.find('@') != std::string_view::npos) return {};
    std::string origin(https);
    for (const char c : authority) origin += c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    return origin;
}

}  // namespace

Subscription parse_subscription(std::string_view text) {
    json::Json root;
    try {
        root = json::parse(text);
    } catch (const http::ApiError&) {
        throw std::invalid_argument("must be the JSON of a PushSubscription");
    }
    if (!root.is_object()) throw std::invalid_argument("must be the JSON of a PushSubscription");
    const auto keys = root.value("keys", json::Json());
    Subscription found{text_of(root, "endpoint"), {}, bytes_of(text_of(keys, "p256dh")), bytes_of(text_of(keys, "auth"))};
    found.origin = origin_of(found.endpoint);
    if (found.origin.empty()) throw std::invalid_argument("must have an https address as endpoint");
    if (!is_public_key(found.public_key)) throw std::invalid_argument("must have a public key of P-256 as keys.p256dh");
    if (found.auth.size() != auth_bytes) throw std::invalid_argument("must have 16 bytes in base64url as keys.auth");
    return found;
}

std::string to_text(const Subscription& subscription) {
    return json::dump(json::Json{
        {"endpoint", subscription.endpoint},
        {"keys", {{"auth", core::to_base64url(subscription.auth)}, {"p256dh", core::to_base64url(subscription.public_key)}}}});
}

}  // namespace tradepost::push
