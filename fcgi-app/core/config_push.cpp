#include "core/config_push.h"

#include "core/base64.h"
#include "core/config_section.h"
#include "core/email.h"
#include "core/host.h"

namespace tradepost::core {
namespace {

constexpr std::string_view secret_prefix = "whsec_", http = "http://", https = "https://", mailto = "mailto:";
constexpr std::size_t shortest_secret = 24;

// The host of an address, or of HOST:PORT.
bool is_near(std::string_view url) {
    const auto authority = url.substr(http.size());
    const auto endpoint = parse_endpoint(authority.substr(0, authority.find('/')), 80);
    return endpoint && !endpoint->host.empty() && is_this_host(endpoint->host);
}

// Push services refuse a token whose `sub` reaches nobody (RFC 8292, section 2.1), such as mailto:ops@localhost.
bool reaches_others(std::string_view text) {
    if (text.find_first_of(" \t\r\n\"<>\\") != std::string_view::npos) return false;
    const bool mail = text.starts_with(mailto);
    if (!mail && !text.starts_with(https)) return false;
    text.remove_prefix(mail ? mailto.size() : https.size());
    text = text.substr(0, text.find_first_of(mail ? "?" : "/?#"));
    if (mail) return is_public_email(text);
    const auto endpoint = parse_endpoint(text, 443);
    if (!endpoint || is_this_host(endpoint->host)) return false;
    return is_public_name(endpoint->host) || is_address(endpoint->host);
}

}  // namespace

void read_push(Section s, PushConfig& push, const std::filesystem::path& folder) {
    std::string private_key_file, relay_secret_file;
    s.read("public_key", push.public_key);
    s.read("private_key_file", private_key_file);
    s.read("contact", push.contact);
    s.read("relay_url", push.relay_url);
    s.read("relay_secret_file", relay_secret_file);
    s.read("allow_networks", push.allow_networks);
    s.read("tls_ca", push.tls_ca);
    s.finish();
    if (!push.public_key.empty()) {
        const auto& node = *s.find("public_key");
        if (from_base64url(push.public_key).value_or("").size() != 65)
            s.fail(node, "public_key", "must be what tradepostctl push key prints");
        if (private_key_file.empty()) s.fail(node, "public_key", "needs private_key_file");
        const auto* contact = s.find("contact");
        if (!contact || push.contact.empty()) s.fail(node, "public_key", "needs contact, as \"mailto:ADDRESS\" or \"https://…\"");
        if (!reaches_others(push.contact))
            push.fault = s.fault(*contact, "contact",
                                 "must be \"mailto:ADDRESS\" or \"https://…\", where others than this host can reach you");
    } else if (!private_key_file.empty()) {
        s.fail(*s.find("private_key_file"), "private_key_file", "needs public_key");
    }
    if (!push.relay_url.empty()) {
        const auto& node = *s.find("relay_url");
        if (!push.relay_url.starts_with(https) && !(push.relay_url.starts_with(http) && is_near(push.relay_url)))
            s.fail(node, "relay_url", "must be https://…, or http://… on this host");
        if (relay_secret_file.empty()) s.fail(node, "relay_url", "needs relay_secret_file");
    }
    // Workers do not send, and may not be allowed to read them.
    if (!private_key_file.empty()) push.private_key_file = secret_path(folder, private_key_file).string();
    if (!relay_secret_file.empty()) push.relay_secret_file = secret_path(folder, relay_secret_file).string();
}

std::string push_private_key(const PushConfig& push) {
    const auto key = from_base64url(read_secret({}, push.private_key_file, "push.private_key_file"));
    if (!key || key->size() != 32)
        throw ConfigError(push.private_key_file + ": is no key of push messages; make one with tradepostctl push key");
    return *key;
}

std::string relay_secret(const PushConfig& push) {
    const auto text = read_secret({}, push.relay_secret_file, "push.relay_secret_file");
    const auto secret = text.starts_with(secret_prefix) ? from_base64(text.substr(secret_prefix.size())) : std::nullopt;
    if (!secret || secret->size() < shortest_secret)
        throw ConfigError(push.relay_secret_file + ": must be whsec_ and at least 24 random bytes in base64");
    return *secret;
}

}  // namespace tradepost::core
