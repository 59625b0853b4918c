// Uploads in the database.
#pragma once
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "db/connection.h"
#include "db/sql.h"
#include "resources/uploads/upload.h"

namespace tradepost::uploads {

// Borrows the connection.
class Uploads {
public:
    explicit Uploads(db::Connection& connection) : connection_(connection) {}

    std::optional<Upload> find(const core::Uuid& id);

    // Those of these organisations whose status is one of `statuses`; the newest first.
    std::vector<Upload> page(std::span<const core::Uuid> organisations, std::span<const std::string> statuses, db::Slice slice);
    std::int64_t count(std::span<const core::Uuid> organisations, std::span<const std::string> statuses);

    // Those of these content hashes that a row has.
    std::set<std::string> referenced(const std::vector<std::string>& hashes);

    // The other functions are for use inside a transaction.

    // Locked until the transaction ends.
    std::optional<Upload> lock(const core::Uuid& id);

    // The bytes that count towards the organisation's quota. For the number to be right at the commit too, the organisation must be
    // locked exclusively and this must be the first read without a lock, which fixes the transaction's snapshot.
    std::int64_t bytes_of(const core::Uuid& organisation_id);

    // The upload is deleted a day after `upload.created_at` unless something is attached to it.
    void insert(const Upload& upload);
    // The bytes have been received.
    void make_ready(const Upload& upload, core::Time now);
    // A body could not be decoded.
    void count_failed_decode(const core::Uuid& id);
    void remove(const core::Uuid& id);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::uploads
