#include "writes/idempotency.h"

#include "core/crypto.h"

namespace tradepost::writes {

using db::Binary;

IdempotencyKeys::IdempotencyKeys(db::Connection& connection, const core::Uuid& user_id, std::string_view key,
                                 std::string_view request_hash)
    : connection_(connection), user_id_(user_id), key_hash_(core::sha256(key)), request_hash_(request_hash) {}

std::optional<KeptAnswer> IdempotencyKeys::begin(core::Time now) {
    // Whoever inserts the row first holds it until the end of its transaction; the others wait at this statement. A plain insert
    // would leave each of them a shared lock, and all who then want more than that are each other's deadlock.
    connection_.execute(
        "INSERT INTO idempotency_keys (user_id, key_hash, request_hash, created_at) VALUES (?, ?, ?, ?) ON DUPLICATE KEY UPDATE "
        "user_id = user_id",
        {user_id_, Binary{key_hash_}, Binary{request_hash_}, now});
    const auto rows = connection_.query(
        "SELECT request_hash, created_at, status, headers, body FROM idempotency_keys WHERE user_id = ? AND key_hash = ? FOR "
        "UPDATE",
        {user_id_, Binary{key_hash_}});
    // ctl::Removed since, because it was too old.
    if (rows.empty()) throw db::Error(1213, "an idempotency key was removed meanwhile");
    const auto& row = rows[0];
    // Nobody sees another's row without its answer.
    if (row.is_null(2)) return {};
    if (row.time(1) <= now - idempotency_keys_live) {
        connection_.execute(
            "UPDATE idempotency_keys SET request_hash = ?, created_at = ?, status = NULL, headers = NULL, body = NULL WHERE "
            "user_id = ? AND key_hash = ?",
            {Binary{request_hash_}, now, user_id_, Binary{key_hash_}});
        return {};
    }
    if (row.text(0) != request_hash_) throw OtherRequest{};
    return KeptAnswer{int(row.integer(2)), row.text(3), row.text(4)};
}

void IdempotencyKeys::finish(const KeptAnswer& answer) {
    connection_.execute("UPDATE idempotency_keys SET status = ?, headers = ?, body = ? WHERE user_id = ? AND key_hash = ?",
                        {answer.status, answer.headers, answer.body, user_id_, Binary{key_hash_}});
}

}  // namespace tradepost::writes
