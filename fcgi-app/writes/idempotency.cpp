#include "writes/idempotency.h"

#include "core/crypto.h"

namespace tradepost::writes {

using db::Binary;

IdempotencyKeys::IdempotencyKeys(db::Connection& connection, const core::Uuid& user_id, std::string_view key,
                                 std::string_view request_hash)
    : connection_(connection), user_id_(user_id), key_hash_(core::sha256(key)), request_hash_(request_hash) {}

std::optional<KeptAnswer> IdempotencyKeys::begin(core::Time now, std::uint64_t most_bytes) {
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
    if (auto answer = answer_in(row, now)) return answer;
    if (!row.is_null(2))
        connection_.execute(
            "UPDATE idempotency_keys SET request_hash = ?, created_at = ?, status = NULL, headers = NULL, body = NULL, bytes = 0 "
            "WHERE user_id = ? AND key_hash = ?",
            {Binary{request_hash_}, now, user_id_, Binary{key_hash_}});
    check_room(now, most_bytes);
    return {};
}

std::optional<KeptAnswer> IdempotencyKeys::find(core::Time now) {
    const auto rows = connection_.query(
        "SELECT request_hash, created_at, status, headers, body FROM idempotency_keys WHERE user_id = ? AND key_hash = ?",
        {user_id_, Binary{key_hash_}});
    return rows.empty() ? std::nullopt : answer_in(rows[0], now);
}

// Empty when the row has no answer, which only its own transaction sees, or one that is too old.
std::optional<KeptAnswer> IdempotencyKeys::answer_in(const db::Row& row, core::Time now) const {
    if (row.is_null(2) || row.time(1) <= now - idempotency_keys_live) return {};
    if (row.text(0) != request_hash_) throw OtherRequest{};
    return KeptAnswer{int(row.integer(2)), row.text(3), row.text(4)};
}

void IdempotencyKeys::finish(const KeptAnswer& answer) {
    connection_.execute(
        "UPDATE idempotency_keys SET status = ?, headers = ?, body = ?, bytes = ? WHERE user_id = ? AND key_hash = ?",
        {answer.status, answer.headers, answer.body, std::int64_t(answer.headers.size() + answer.body.size()), user_id_,
         Binary{key_hash_}});
}

void IdempotencyKeys::check_room(core::Time now, std::uint64_t most_bytes) {
    const auto rows = connection_.query(
        "SELECT CAST(IFNULL(SUM(bytes), 0) AS SIGNED) FROM idempotency_keys FORCE INDEX (idempotency_keys_user) WHERE user_id = "
        "? "
        "AND created_at > ?",
        {user_id_, now - idempotency_keys_live});
    if (std::uint64_t(rows.at(0).integer(0)) >= most_bytes) throw TooMuchKept{};
}

std::int64_t most_kept_bytes(db::Connection& connection, const core::Uuid& organisation_id, core::Time now) {
    return connection
        .query(
            "SELECT CAST(IFNULL(MAX(u.bytes), 0) AS SIGNED) FROM (SELECT SUM(k.bytes) bytes FROM memberships m FORCE INDEX "
            "(memberships_organisation) JOIN idempotency_keys k FORCE INDEX (idempotency_keys_user) ON k.user_id = m.user_id AND "
            "k.created_at > ? WHERE m.organisation_id = ? GROUP BY m.user_id) u",
            {now - idempotency_keys_live, organisation_id})
        .at(0)
        .integer(0);
}

std::uint64_t IdempotencyKeys::erase_about(db::Connection& connection, const json::Mentions& person) {
    constexpr int page = 500;
    std::uint64_t erased = 0;
    std::optional<std::pair<core::Uuid, std::string>> last;
    const auto next_page = [&] {
        const std::string select =
            "SELECT user_id, key_hash, COALESCE(headers, '{}'), COALESCE(body, '{}') FROM idempotency_keys FORCE INDEX "
            "(PRIMARY) ";
        if (!last) return connection.query(select + "ORDER BY user_id, key_hash LIMIT ?", {page});
        return connection.query(
            select + "WHERE user_id >= ? AND (user_id > ? OR key_hash > ?) ORDER BY user_id, key_hash LIMIT ?",
            {last->first, last->first, Binary{last->second}, page});
    };
    for (auto rows = next_page(); !rows.empty(); rows = next_page())
        for (const auto& row : rows) {
            last.emplace(row.uuid(0), row.text(1));
            if (row.text(3).empty() || !(person.in_document(row.text(2)) || person.in_document(row.text(3)))) continue;
            // No request has a hash of zeros.
            erased += db::in_transaction(connection, [&] {
                return connection.execute(
                    "UPDATE idempotency_keys SET request_hash = ?, headers = '{}', body = '' WHERE user_id = ? AND key_hash = ?",
                    {Binary{std::string(32, '\0')}, last->first, Binary{last->second}});
            });
        }
    return erased;
}

}  // namespace tradepost::writes
