#include "repo/polling.h"

#include <vector>

#include "repo/listing.h"

namespace tradepost::repo {

core::Time horizon(db::Connection& connection, std::span<const core::Uuid> organisation_ids, const core::Clock& clock) {
    if (organisation_ids.empty()) return clock.now();
    db::Transaction transaction(connection);
    const std::vector<db::Value> ids(organisation_ids.begin(), organisation_ids.end());
    connection.query("SELECT 1 FROM organisations WHERE id IN (" + placeholders(ids.size()) + ") ORDER BY id FOR UPDATE", ids);
    const auto now = clock.now();
    transaction.commit();
    return now;
}

}  // namespace tradepost::repo
