#include "repo/collections.h"

#include "core/crypto.h"
#include "repo/shared_versions.h"

namespace tradepost::repo {

std::uint64_t Collections::version(std::string_view collection) {
    if (!shared_ || version_check_ <= version_check_.zero()) return ask(collection);
    // Both before the database is asked: what is read later than they say is no less true.
    const auto epoch = shared_->state(collection);
    const auto now = std::chrono::steady_clock::now();
    const auto known = known_.find(collection);
    if (known != known_.end()) {
        const auto& [its_epoch, version, asked] = known->second;
        if (epoch == its_epoch && now - asked < version_check_) return version;
        known_.erase(known);
    }
    const auto version = ask(collection);
    if (epoch) known_.emplace(collection, Known{*epoch, version, now});
    return version;
}

std::uint64_t Collections::ask(std::string_view collection) {
    // Added up here: the server takes twice as long for SUM().
    std::uint64_t sum = 0;
    for (const auto& row : connection_.query("SELECT version FROM collection_versions WHERE collection = ?", {collection})) sum += row.unsigned_integer(0);
    return sum;
}

void touch(db::Connection& connection, std::string_view collection) {
    connection.note_change(collection);
    constexpr int shards = 16;  // enough for writers not to queue, few enough to read often
    const int shard = static_cast<unsigned char>(core::random_bytes(1)[0]) % shards;
    connection.execute("INSERT INTO collection_versions (collection, shard, version) VALUES (?, ?, 1) ON DUPLICATE KEY UPDATE version = version + 1",
                       {collection, shard});
}

}  // namespace tradepost::repo
