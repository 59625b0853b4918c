// The settings of [fetch], apart from core/config.h, because few files need them.
#pragma once
#include <string>
#include <vector>

#include "core/config.h"

namespace tradepost::core {

struct FetchConfig {
    std::vector<std::string> allow_networks;  // beside public addresses
    std::string tls_ca;                       // a file of CA certificates; empty: the system's
};

// As privacy_of() in core/config_privacy.h.
FetchConfig fetch_of(const Config& config);

}  // namespace tradepost::core
