#include "push/vapid.h"

#include <nlohmann/json.hpp>

#include "core/base64.h"
#include "json/parse.h"

namespace tradepost::push {
namespace {

// At most 24 hours; clocks of services may differ from ours.
constexpr std::chrono::hours lifetime{12};

}  // namespace

std::string vapid(const Key& key, const std::string& origin, const std::string& contact, core::Time now) {
    const auto ends = std::chrono::floor<std::chrono::seconds>(now + lifetime).time_since_epoch().count();
    const auto part = [](const json::Json& value) { return core::to_base64url(json::dump(value)); };
    const auto claims = part({{"alg", "ES256"}, {"typ", "JWT"}}) + "." + part({{"aud", origin}, {"exp", ends}, {"sub", contact}});
    return "vapid t=" + claims + "." + core::to_base64url(key.sign(claims)) + ", k=" + core::to_base64url(key.public_key());
}

}  // namespace tradepost::push
