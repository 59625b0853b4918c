#include "push/vapid.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base64.h"
#include "core/email.h"
#include "core/url.h"
#include "json/parse.h"

namespace tradepost::push {
namespace {

// At most 24 hours; clocks of services may differ from ours.
constexpr std::chrono::hours lifetime{12};

const std::string mailto = "mailto:";

// Services read it as a URI, which is ASCII.
std::string wire_contact(const std::string& contact) {
    if (!contact.starts_with(mailto)) return core::wire_url(contact).value_or(contact);
    const auto query = std::min(contact.find('?'), contact.size());
    const auto written = contact.substr(0, query);
    const auto address = core::wire_email(written.substr(mailto.size()));
    return address ? written.substr(0, written.find('@') + 1) + address->domain + contact.substr(query) : contact;
}

}  // namespace

std::string vapid(const Key& key, const std::string& origin, const std::string& contact, core::Time now) {
    const auto ends = std::chrono::floor<std::chrono::seconds>(now + lifetime).time_since_epoch().count();
    const auto part = [](const json::Json& value) { return core::to_base64url(json::dump(value)); };
    const auto claims =
        part({{"alg", "ES256"}, {"typ", "JWT"}}) + "." + part({{"aud", origin}, {"exp", ends}, {"sub", wire_contact(contact)}});
    return "vapid t=" + claims + "." + core::to_base64url(key.sign(claims)) + ", k=" + core::to_base64url(key.public_key());
}

}  // namespace tradepost::push
