#include "ctl/housekeeping.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "audit/record.h"
#include "changes/readers.h"
#include "counts/compact.h"
#include "ctl/output.h"
#include "db/sql.h"
#include "identity/people/email_changes.h"
#include "identity/people/letter_limits.h"
#include "identity/sessions/sessions.h"
#include "outbox/stored.h"
#include "resources/accounts/program_use.h"
#include "resources/enquiries/removal.h"
#include "resources/jobs/expiry.h"
#include "resources/me/token_letters.h"
#include "writes/deletions.h"
#include "writes/history.h"
#include "writes/room.h"

namespace tradepost::ctl {
namespace {

using namespace std::chrono_literals;
constexpr std::chrono::days tokens_are_kept{30}, notification_tokens_are_kept{400}, audit_events_are_kept{400},
    examinations_are_kept{30};
constexpr auto idempotency_key_age = 24h, uploads_are_kept = 24h, pending_uploads_are_kept = 1h;
constexpr int rows_at_once = 500;

std::uint64_t remove(db::Connection& connection, const std::string& from, core::Time before) {
    std::uint64_t removed = 0;
    for (;;) {
        const auto count = db::in_transaction(connection, [&] {
            return connection.execute("DELETE FROM " + from + " LIMIT ?", {before, rows_at_once});
        });
        removed += count;
        if (count < rows_at_once) return removed;
    }
}

// By key: rows are found without a lock where the condition has no index. And who attaches an upload locks its row before the index of those that
// are detached, and so must we, or each waits for the other.
std::uint64_t remove_by(const std::string& key, db::Connection& connection, const std::string& table,
                        const std::string& condition, core::Time before) {
    std::uint64_t removed = 0;
    for (;;) {
        const auto rows =
            connection.query("SELECT " + key + " FROM " + table + " WHERE " + condition + " LIMIT ?", {before, rows_at_once});
        if (rows.empty()) return removed;
        std::vector<db::Value> values;
        for (const auto& row : rows) values.emplace_back(db::Binary{row.text(0)});
        values.emplace_back(before);
        removed += db::in_transaction(connection, [&] {
            return connection.execute("DELETE " + table + " FROM " + table + " FORCE INDEX (PRIMARY) WHERE " + key + " IN (" +
                                          db::placeholders(rows.size()) + ") AND " + condition,
                                      values);
        });
    }
}

// The oldest events of organisations with more than `most`, each in small transactions. The last one records how many went.
std::uint64_t remove_audit_events_beyond(db::Connection& connection, core::Time now, std::uint64_t most) {
    std::uint64_t removed = 0;
    for (const auto& [organisation_id, count] : writes::organisations_over(connection, writes::Things::audit_events, most)) {
        const auto excess = std::uint64_t(count) - most + 1;  // room for the event that records it
        const auto ids = connection.query(
            "SELECT id FROM audit_log FORCE INDEX (audit_log_organisation) WHERE organisation_id = ? ORDER BY happened_at, id "
            "LIMIT ?",
            {organisation_id, std::int64_t(excess)});
        for (std::size_t first = 0; first < ids.size(); first += rows_at_once) {
            const auto end = std::min(ids.size(), first + rows_at_once);
            std::vector<db::Value> values;
            for (auto i = first; i < end; ++i) values.emplace_back(db::Binary{ids[i].text(0)});
            removed += db::in_transaction(connection, [&] {
                const auto gone = connection.execute(db::delete_by_key("audit_log", "id", values.size()), values);
                if (end == ids.size())
                    audit::record(connection, now,
                                  {.event = audit::Event::audit_pruned,
                                   .organisation = organisation_id,
                                   .detail = "the " + std::to_string(ids.size()) + " oldest"});
                return gone;
            });
        }
    }
    return removed;
}

}  // namespace

Removed prune(db::Connection& connection, core::Time now, const std::optional<core::Time>& enquiries_before,
              std::uint64_t audit_rows) {
    me::tell_of_expiring(connection, now);
    Removed removed;
    if (enquiries_before) removed.enquiries = enquiries::remove_sent_before(connection, *enquiries_before);
    removed.tokens = remove(connection, "api_tokens WHERE expires_at < ?", now - tokens_are_kept);
    removed.tokens += remove_by("id", connection, "api_tokens", "revoked_at < ?", now - tokens_are_kept);
    remove(connection, "invitations WHERE expires_at < ?", now);
    remove(connection, "letter_limits WHERE began_at < ?", now - identity::letter_window);
    remove(connection, "webhook_secrets WHERE expires_at < ?", now);
    remove(connection, "password_resets WHERE expires_at < ?", now);
    remove(connection, "email_changes WHERE created_at < ?", now - identity::email_change_lifetime);
    removed.sessions = remove(connection, "sessions WHERE last_seen_at < ?", now - identity::session_idle);
    removed.sessions += remove_by("hash", connection, "sessions", "created_at < ?", now - identity::session_lifetime);
    removed.idempotency_keys = remove(connection, "idempotency_keys WHERE created_at < ?", now - idempotency_key_age);
    removed.uploads = remove_by("id", connection, "uploads", "attachments = 0 AND detached_at < ?", now - uploads_are_kept);
    removed.uploads += remove_by("id", connection, "uploads", "status = 'PENDING' AND attachments = 0 AND detached_at < ?",
                                 now - pending_uploads_are_kept);
    removed.notification_tokens =
        remove_by("hash", connection, "notification_tokens", "updated_at < ?", now - notification_tokens_are_kept);
    removed.audit_events = remove(connection, "audit_log WHERE happened_at < ?", now - audit_events_are_kept);
    removed.audit_events += remove_audit_events_beyond(connection, now, audit_rows);
    removed.deletions = remove(connection, "deletions WHERE deleted_at < ?", now - writes::deletions_are_kept);
    remove(connection, "record_history WHERE changed_at < ?", now - writes::history_is_kept);
    accounts::ProgramUse::prune(connection, now);
    remove_by("id", connection, "examination_requests", "at < ?", now - examinations_are_kept);
    jobs::unlist_expired_jobs(connection, now);
    removed.counts = counts::compact(connection);
    removed.changes = changes::prune(connection, now);
    removed.messages = outbox::prune(connection);
    return removed;
}

std::unique_ptr<db::KeptLease> take_lease(Context& context, const std::string& what, std::string& holder) {
    // The server rolls back what the process had not committed.
    const auto lost = [what] {
        std::cerr << "tradepostctl: " << what << " has lost its lease, and another process may have it: run the command again\n";
        std::_Exit(1);
    };
    return db::KeptLease::take(context.config().database, what, lost, &holder);
}

std::unique_ptr<db::KeptLease> begin_alone(Context& context, const std::string& what) {
    std::string holder;
    auto lease = take_lease(context, what, holder);
    if (!lease && context.json)
        print({{"runningOn", holder}});
    else if (!lease)
        std::cout << "nothing done: " << what << " is running on " << holder << "\n";
    return lease;
}

}  // namespace tradepost::ctl
