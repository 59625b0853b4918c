#include "lists/horizon.h"

#include <algorithm>
#include <string>
#include <vector>

#include "db/conflict.h"
#include "db/sql.h"

namespace tradepost::lists {
namespace {

using steady = std::chrono::steady_clock;

// For all rows together: the server's own limit is for each one that is waited for. A worker that waits serves nobody.
constexpr std::chrono::milliseconds longest_wait{250};
constexpr int deadlock = 1213;
// Another host's clock may be ahead; what is later than this was not written by a clock.
constexpr std::chrono::hours clocks_differ{24};

// Rows of `organisations` or `users` whose polls are to be raised, locked until the transaction ends.
class PolledRows {
public:
    PolledRows(db::Connection& connection, std::string table) : connection_(connection), table_(std::move(table)) {}

    // In the order of their ids. Without the index named a short table would be read as a whole, waiting for the rows of others
    // too.
    void lock(std::span<const core::Uuid> ids, steady::time_point end) {
        if (ids.empty()) return;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - steady::now());
        ids_.assign(ids.begin(), ids.end());
        const std::vector<db::Value> values(ids.begin(), ids.end());
        for (const auto& row :
             connection_.query_within(std::max(left, std::chrono::milliseconds(1)),
                                      "SELECT polled_until FROM " + table_ + " FORCE INDEX (PRIMARY) WHERE id IN (" +
                                          db::placeholders(ids_.size()) + ") ORDER BY id FOR UPDATE",
                                      values)) {
            const auto until = row.opt_time(0);
            latest_ = std::max(latest_, until);
            polled_.push_back(until);
        }
    }
    const std::optional<core::Time>& latest() const { return latest_; }

    // Writes only what is behind: a poll right after another one changes nothing.
    void raise(core::Time until) {
        const auto is_current = [&](const auto& polled_until) { return polled_until >= until; };
        if (std::all_of(polled_.begin(), polled_.end(), is_current)) return;
        db::conflict_on(connection_, ids_);
        std::vector<db::Value> values{until};
        values.insert(values.end(), ids_.begin(), ids_.end());
        connection_.execute("UPDATE " + table_ + " FORCE INDEX (PRIMARY) SET polled_until = ? WHERE id IN (" +
                                db::placeholders(ids_.size()) + ")",
                            values);
    }

private:
    db::Connection& connection_;
    std::string table_;
    std::vector<core::Uuid> ids_;
    std::vector<std::optional<core::Time>> polled_;  // none: never
    std::optional<core::Time> latest_;
};

// Up to when a poll of the rows that `where` finds is complete while their writers are locked out. Where this clock is behind that of an
// earlier poll, rows have later times than it says; they are shown all the same.
core::Time complete_until(db::Connection& connection, const std::optional<core::Time>& polled_until, core::Time now,
                          const std::string& where, std::vector<db::Value> values, const std::string& column = "updated_at") {
    if (!polled_until || *polled_until <= now) return now;
    values.insert(values.end(), {*polled_until, *polled_until + clocks_differ});
    const auto rows =
        connection.query("SELECT MAX(" + column + ") FROM " + where + " AND " + column + " > ? AND " + column + " <= ?", values);
    return rows.at(0).opt_time(0).value_or(*polled_until);
}

// What `work(end)` returns from inside a transaction. A deadlock with writers is over at once and worth another try; a wait that was too long
// is not.
template <class Work>
core::Time alone(db::Connection& connection, Work work) {
    const auto end = steady::now() + longest_wait;
    for (int attempt = 1;; ++attempt) {
        try {
            db::Transaction transaction(connection);
            const core::Time until = work(end);
            transaction.commit();
            return until;
        } catch (const db::Error& error) {
            if (error.code != deadlock || attempt == 5) throw;
        }
    }
}

}  // namespace

core::Time horizon(db::Connection& connection, std::string_view table, std::span<const core::Uuid> organisation_ids,
                   const core::Clock& clock, std::string_view column) {
    if (organisation_ids.empty()) return clock.now();
    return alone(connection, [&](steady::time_point end) {
        PolledRows organisations(connection, "organisations");
        organisations.lock(organisation_ids, end);
        const auto until =
            complete_until(connection, organisations.latest(), clock.now(),
                           std::string(table) + " WHERE organisation_id IN (" + db::placeholders(organisation_ids.size()) + ")",
                           {organisation_ids.begin(), organisation_ids.end()}, std::string(column));
        organisations.raise(until);
        return until;
    });
}

core::Time sender_horizon(db::Connection& connection, const core::Uuid& user_id, const std::optional<core::Uuid>& organisation_id,
                          const core::Clock& clock) {
    return alone(connection, [&](steady::time_point end) {
        PolledRows sender(connection, "users"), recipients(connection, "organisations");
        sender.lock(std::span(&user_id, 1), end);
        // Read after that: a first enquiry to somebody new is there by now, or gets a later time.
        const auto rows = connection.query(
            "SELECT DISTINCT t.organisation_id FROM enquiries t FORCE INDEX (enquiries_sender) WHERE t.from_user_id = ? AND (? "
            "IS NULL OR t.organisation_id = ?)",
            {user_id, organisation_id, organisation_id});
        std::vector<core::Uuid> ids;
        for (const auto& row : rows) ids.push_back(row.uuid(0));
        // Recipients who change an enquiry hold theirs, and look at the sender's `polled_until` after that.
        recipients.lock(ids, end);
        const auto until = complete_until(connection, std::max(sender.latest(), recipients.latest()), clock.now(),
                                          "enquiries WHERE from_user_id = ?", {user_id});
        sender.raise(until);
        return until;
    });
}

}  // namespace tradepost::lists
