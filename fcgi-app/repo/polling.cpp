#include "repo/polling.h"

#include <algorithm>
#include <vector>

#include "repo/listing.h"

namespace tradepost::repo {
namespace {

using steady = std::chrono::steady_clock;

// For all rows together: the server's own limit is for each one that is waited for.
constexpr std::chrono::milliseconds longest_wait{5000};
constexpr int deadlock = 1213;

class Locks {
public:
    explicit Locks(db::Connection& connection) : connection_(connection) {}

    // In the order of their ids. Without the index named a short table would be read as a whole, waiting for the rows of others
    // too.
    void take(const std::string& table, std::span<const core::Uuid> ids) {
        if (ids.empty()) return;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - steady::now());
        const std::vector<db::Value> values(ids.begin(), ids.end());
        connection_.query_within(std::max(left, std::chrono::milliseconds(1)),
                                 "SELECT 1 FROM " + table + " FORCE INDEX (PRIMARY) WHERE id IN (" + placeholders(ids.size()) +
                                     ") ORDER BY id FOR UPDATE",
                                 values);
    }

private:
    db::Connection& connection_;
    steady::time_point end_ = steady::now() + longest_wait;
};

// The time while all that `take` locks is held. A deadlock with writers is over at once and worth another try; a wait that was
// too long is not.
template <class Take>
core::Time alone(db::Connection& connection, const core::Clock& clock, Take take) {
    Locks locks(connection);
    for (int attempt = 1;; ++attempt) {
        try {
            db::Transaction transaction(connection);
            take(locks);
            const auto now = clock.now();
            transaction.commit();
            return now;
        } catch (const db::Error& error) {
            if (error.code != deadlock || attempt == 5) throw;
        }
    }
}

}  // namespace

core::Time horizon(db::Connection& connection, std::span<const core::Uuid> organisation_ids, const core::Clock& clock) {
    if (organisation_ids.empty()) return clock.now();
    return alone(connection, clock, [&](Locks& locks) { locks.take("organisations", organisation_ids); });
}

core::Time sender_horizon(db::Connection& connection, const core::Uuid& user_id, const std::optional<core::Uuid>& organisation_id,
                          const core::Clock& clock) {
    return alone(connection, clock, [&](Locks& locks) {
        locks.take("users", std::span(&user_id, 1));
        // Read after that: a first enquiry to somebody new is there by now, or gets a later time.
        const auto rows = connection.query(
            "SELECT DISTINCT t.organisation_id FROM enquiries t FORCE INDEX (enquiries_sender) WHERE t.from_user_id = ? AND (? "
            "IS NULL OR t.organisation_id = ?)",
            {user_id, organisation_id, organisation_id});
        std::vector<core::Uuid> ids;
        for (const auto& row : rows) ids.push_back(row.uuid(0));
        locks.take("organisations", ids);
    });
}

}  // namespace tradepost::repo
