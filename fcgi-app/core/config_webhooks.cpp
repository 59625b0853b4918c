#include "core/config_webhooks.h"

#include <map>
#include <mutex>

#include "core/config_section.h"

namespace tradepost::core {

void read_webhooks(Section s, WebhooksConfig& webhooks) {
    s.read("allow_networks", webhooks.allow_networks);
    s.read("tls_ca", webhooks.tls_ca);
    s.finish();
}

const WebhooksConfig& webhooks_of(const Config& config) {
    static std::mutex mutex;
    static std::map<std::string, WebhooksConfig> all;
    const std::lock_guard lock(mutex);
    const auto found = all.find(config.path);
    if (found != all.end()) return found->second;
    WebhooksConfig webhooks;
    if (!config.path.empty()) {
        const auto root = toml::parse_file(config.path);
        read_webhooks(Section(config.path, root["webhooks"].as_table(), "webhooks"), webhooks);
    }
    return all.emplace(config.path, std::move(webhooks)).first->second;
}

}  // namespace tradepost::core
