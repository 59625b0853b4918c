// Uploads' rows.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "db/connection.h"
#include "domain/upload.h"

namespace tradepost::repo {

// Borrows the connection.
class Uploads {
public:
    explicit Uploads(db::Connection& connection) : connection_(connection) {}

    std::optional<domain::Upload> find(const core::Uuid& id);

    // Which of these content hashes some row has.
    std::set<std::string> referred(const std::vector<std::string>& hashes);

    // This instance's secret of that name, 32 random bytes made by whoever asks first. Outside a transaction.
    std::string key(std::string_view name, core::Time now);

    // The rest is for use inside a transaction.

    // Locked until it ends.
    std::optional<domain::Upload> lock(const core::Uuid& id);

    // What counts towards the organisation's quota, in bytes. To be the truth at the commit too, the organisation must be locked
    // exclusively and nothing been read before without a lock: this is the read that decides what the transaction sees.
    std::int64_t bytes_of(const core::Uuid& organisation_id);

    // Collected a day after `upload.created_at` unless something is attached to it.
    void insert(const domain::Upload& upload);
    // Its bytes have come.
    void make_ready(const domain::Upload& upload, core::Time now);
    void remove(const core::Uuid& id);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::repo
