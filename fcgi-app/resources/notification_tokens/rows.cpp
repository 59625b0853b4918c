#include "resources/notification_tokens/rows.h"

#include "core/crypto.h"

namespace tradepost::notification_tokens {

void NotificationTokens::put(const core::Uuid& user_id, const NotificationToken& token, core::Time now) {
    const auto hash = core::sha256(token.token);
    // One registration of a user at a time, so that the number below is right.
    connection_.query("SELECT id FROM users WHERE id = ? FOR UPDATE", {user_id});
    connection_.execute(
        "INSERT INTO notification_tokens (hash, user_id, token, platform, device_name, created_at, updated_at) VALUES (?, ?, ?, "
        "?, ?, ?, ?) "
        "ON DUPLICATE KEY UPDATE user_id = VALUES(user_id), platform = VALUES(platform), device_name = VALUES(device_name), "
        "updated_at = VALUES(updated_at)",
        {db::Binary{hash}, user_id, token.token, token.platform, token.device_name, now, now});
    if (connection_.query("SELECT COUNT(*) FROM notification_tokens WHERE user_id = ?", {user_id}).at(0).integer(0) <= kept)
        return;
    // The server deletes from no table that a subquery reads, unless the subquery is a table of its own.
    connection_.execute(
        "DELETE FROM notification_tokens WHERE user_id = ? AND hash NOT IN (SELECT hash FROM (SELECT hash FROM "
        "notification_tokens "
        "WHERE user_id = ? ORDER BY hash = ? DESC, updated_at DESC, hash LIMIT ?) newest)",
        {user_id, user_id, db::Binary{hash}, kept});
}

}  // namespace tradepost::notification_tokens
