#include "lists/horizon.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <vector>

#include "db/failure.h"
#include "db/sql.h"

namespace tradepost::lists {
namespace {

using steady = std::chrono::steady_clock;

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

    // Writes only what is behind: a poll right after another one changes nothing. A horizon that a feed holds back lowers no other's.
    void raise(core::Time until) {
        const auto is_current = [&](const auto& polled_until) { return polled_until >= until; };
        if (std::all_of(polled_.begin(), polled_.end(), is_current)) return;
        db::conflict_on(connection_, ids_);
        std::vector<db::Value> values{until, until};
        values.insert(values.end(), ids_.begin(), ids_.end());
        connection_.execute("UPDATE " + table_ +
                                " FORCE INDEX (PRIMARY) SET polled_until = IF(polled_until > ?, polled_until, ?) WHERE id IN (" +
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

// `until`, or the time before the first feed of these organisations that is under way: what it writes has later times. The organisations are
// locked, so no other feed begins; one that has not locked its row yet waits for this transaction, and then sees `polled_until`.
core::Time before_feeds(db::Connection& connection, std::string_view table, std::span<const core::Uuid> ids, core::Time until) {
    std::vector<db::Value> values{table};
    values.insert(values.end(), ids.begin(), ids.end());
    const auto feeds =
        "SELECT organisation_id, begun_at FROM feeds FORCE INDEX (PRIMARY) WHERE list = ? AND organisation_id IN (" +
        db::placeholders(ids.size()) + ")";
    std::map<core::Uuid, core::Time> begun;
    for (const auto& row : connection.query(feeds, values)) begun.emplace(row.uuid(0), row.time(1));
    if (begun.empty()) return until;
    for (const auto& row : connection.query(feeds + " FOR UPDATE SKIP LOCKED", values)) begun.erase(row.uuid(0));
    for (const auto& [id, time] : begun) until = std::min(until, time - core::milliseconds(1));
    return until;
}

// What `work(end)` returns from inside a transaction. A deadlock with writers is over at once and worth another try; a wait that was too long
// is not.
template <class Work>
core::Time alone(db::Connection& connection, Work work) {
    // For all rows together: the server's own limit is for each row. A worker that waits serves nobody.
    const auto end = steady::now() + connection.longest_lock_wait();
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

constexpr std::int64_t last_millisecond = 253'402'300'799'999;  // of the year 9999, the last that SQL and RFC 3339 write

// Takes a number and the full stop behind it off the front.
std::optional<core::Time> take_time(std::string_view& text) {
    std::int64_t milliseconds = 0;
    const auto* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, milliseconds);
    if (error != std::errc() || at == end || *at != '.' || milliseconds < 0 || milliseconds > last_millisecond) return {};
    text.remove_prefix(std::size_t(at - text.data()) + 1);
    return core::Time(core::milliseconds(milliseconds));
}

// As take_time(); a full stop alone means no time.
std::optional<core::Time> take_time_or_none(std::string_view& text) {
    if (!text.starts_with('.')) return take_time(text);
    text.remove_prefix(1);
    return no_time;
}

}  // namespace

core::Time horizon(db::Connection& connection, std::string_view table, std::span<const core::Uuid> organisation_ids,
                   const core::Clock& clock, std::string_view column) {
    if (organisation_ids.empty()) return clock.now();
    return alone(connection, [&](steady::time_point end) {
        PolledRows organisations(connection, "organisations");
        organisations.lock(organisation_ids, end);
        const auto complete =
            complete_until(connection, organisations.latest(), clock.now(),
                           std::string(table) + " WHERE organisation_id IN (" + db::placeholders(organisation_ids.size()) + ")",
                           {organisation_ids.begin(), organisation_ids.end()}, std::string(column));
        const auto until = before_feeds(connection, table, organisation_ids, complete);
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

std::string Position::to_string() const {
    const auto of_row = time == no_time ? std::string() : std::to_string(time.time_since_epoch().count());
    return std::to_string(until.time_since_epoch().count()) + "." + of_row + "." + id.to_string();
}

std::optional<Position> Position::parse(std::string_view text) {
    const auto until = take_time(text);
    const auto time = until ? take_time_or_none(text) : std::nullopt;
    const auto id = time ? core::Uuid::parse(text) : std::nullopt;
    if (!id) return {};
    return Position{*until, *time, *id};
}

}  // namespace tradepost::lists
