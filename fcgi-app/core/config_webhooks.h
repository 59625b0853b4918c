// The settings of [webhooks], apart from core/config.h, because few files need them.
#pragma once
#include <string>
#include <vector>

#include "core/config.h"

namespace tradepost::core {

struct WebhooksConfig {
    std::vector<std::string> allow_networks;  // beside public addresses
    std::string tls_ca;                       // a file of CA certificates; empty: the system's
};

// As mail_of() in core/config_mail.h.
const WebhooksConfig& webhooks_of(const Config& config);

}  // namespace tradepost::core
