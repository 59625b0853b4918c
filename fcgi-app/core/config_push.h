// The settings of [push].
#pragma once
#include <string>
#include <vector>

namespace tradepost::core {

struct PushConfig {
    std::string public_key;        // of the service, as browsers get it: base64url; empty: nothing is sent to browsers
    std::string private_key_file;  // its path
    std::string contact;           // mailto: or https:, for those who run push services
    std::string relay_url;         // empty: nothing is sent to telephones
    std::string relay_secret_file;
    std::vector<std::string> allow_networks;  // of push services, beside public addresses
    std::string tls_ca;                       // a file of CA certificates; empty: the system's
    std::string fault;                        // as in MailConfig
};

// Read the files: 32 bytes, and the bytes behind whsec_. Throw ConfigError, which says what to do.
std::string push_private_key(const PushConfig& push);
std::string relay_secret(const PushConfig& push);

}  // namespace tradepost::core
