#include "repo/collections.h"

#include "core/crypto.h"

namespace tradepost::repo {

std::uint64_t Collections::version(std::string_view collection) {
    return connection_.query("SELECT CAST(COALESCE(SUM(version), 0) AS UNSIGNED) FROM collection_versions WHERE collection = ?", {collection})
        .at(0)
        .unsigned_integer(0);
}

void touch(db::Connection& connection, std::string_view collection) {
    constexpr int shards = 16;
    const int shard = static_cast<unsigned char>(core::random_bytes(1)[0]) % shards;
    connection.execute("INSERT INTO collection_versions (collection, shard, version) VALUES (?, ?, 1) ON DUPLICATE KEY UPDATE version = version + 1",
                       {collection, shard});
}

}  // namespace tradepost::repo
