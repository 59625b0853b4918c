#include "core/config_fetch.h"

#include "core/config_section.h"

namespace tradepost::core {

void read_fetch(Section s, FetchConfig& fetch) {
    s.read("allow_networks", fetch.allow_networks);
    s.read("tls_ca", fetch.tls_ca);
    s.finish();
}

FetchConfig fetch_of(const Config& config) {
    FetchConfig fetch;
    if (config.path.empty()) return fetch;
    const auto root = toml::parse_file(config.path);
    read_fetch(Section(config.path, root["fetch"].as_table(), "fetch"), fetch);
    return fetch;
}

}  // namespace tradepost::core
