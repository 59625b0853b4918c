#include "identity/instance_keys.h"

#include <stdexcept>

#include "core/crypto.h"

namespace tradepost::identity {

const std::string& InstanceKeys::get(std::string_view name, core::Time now) {
    if (const auto known = keys_.find(name); known != keys_.end()) return known->second;
    const auto read = [&] { return connection_.query("SELECT value FROM instance_keys WHERE name = ?", {name}); };
    auto rows = read();
    if (rows.empty()) {
        // Another process may insert it at the same time; the first one wins.
        const auto key = core::random_bytes(32);
        connection_.execute(
            "INSERT INTO instance_keys (name, value, created_at) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE name = name",
            {name, db::Binary{key}, now});
        rows = read();
    }
    if (rows.empty()) throw std::logic_error("a key of the instance was removed as soon as it was created");
    return keys_.emplace(name, rows[0].text(0)).first->second;
}

}  // namespace tradepost::identity
