#include "resources/notification_tokens/rows.h"

#include "core/crypto.h"

namespace tradepost::notification_tokens {

void NotificationTokens::put(const core::Uuid& user_id, const NotificationToken& token, core::Time now) {
    const auto hash = core::sha256(token.token);
    connection_.execute(
        "INSERT INTO notification_tokens (hash, user_id, token, platform, device_name, created_at, updated_at) VALUES (?, ?, ?, "
        "?, ?, ?, ?) "
        "ON DUPLICATE KEY UPDATE user_id = VALUES(user_id), platform = VALUES(platform), device_name = VALUES(device_name), "
        "updated_at = VALUES(updated_at)",
        {db::Binary{hash}, user_id, token.token, token.platform, token.device_name, now, now});
}

}  // namespace tradepost::notification_tokens
