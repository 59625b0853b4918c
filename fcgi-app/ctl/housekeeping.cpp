#include "ctl/housekeeping.h"

#include <iostream>

#include "changes/readers.h"
#include "ctl/output.h"
#include "db/sql.h"
#include "identity/email_changes.h"
#include "identity/sessions.h"
#include "lists/compact_counts.h"
#include "outbox/stored.h"
#include "resources/enquiries/removal.h"
#include "resources/jobs/expiry.h"
#include "writes/deletions.h"
#include "writes/history.h"

namespace tradepost::ctl {
namespace {

using namespace std::chrono_literals;
constexpr std::chrono::days tokens_are_kept{30}, notification_tokens_are_kept{400}, audit_events_are_kept{400};
constexpr auto idempotency_key_age = 24h, uploads_are_kept = 24h, pending_uploads_are_kept = 1h;
constexpr int rows_at_once = 500;

// A prune, recount or reindex takes less. When its host dies, another one may begin after this time.
constexpr std::chrono::minutes longest_run{30};

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

// By id: who attaches an upload locks its row before the index of those that are detached, and so must we, or each waits for the
// other.
std::uint64_t remove_uploads(db::Connection& connection, const std::string& condition, core::Time before) {
    std::uint64_t removed = 0;
    for (;;) {
        std::vector<db::Value> values;
        for (const auto& row : connection.query("SELECT id FROM uploads WHERE " + condition + " LIMIT ?", {before, rows_at_once}))
            values.emplace_back(row.uuid(0));
        if (values.empty()) return removed;
        const auto ids = db::placeholders(values.size());
        values.emplace_back(before);
        removed += db::in_transaction(connection, [&] {
            return connection.execute(
                "DELETE uploads FROM uploads FORCE INDEX (PRIMARY) WHERE id IN (" + ids + ") AND " + condition, values);
        });
    }
}

}  // namespace

Removed prune(db::Connection& connection, core::Time now, const std::optional<core::Time>& enquiries_before) {
    Removed removed;
    if (enquiries_before) removed.enquiries = enquiries::remove_sent_before(connection, *enquiries_before);
    removed.tokens = remove(connection, "api_tokens WHERE expires_at < ?", now - tokens_are_kept);
    removed.tokens += remove(connection, "api_tokens WHERE revoked_at < ?", now - tokens_are_kept);
    remove(connection, "invitations WHERE expires_at < ?", now);
    remove(connection, "webhook_secrets WHERE expires_at < ?", now);
    remove(connection, "password_resets WHERE expires_at < ?", now);
    remove(connection, "email_changes WHERE created_at < ?", now - identity::email_change_lifetime);
    removed.sessions = remove(connection, "sessions WHERE last_seen_at < ?", now - identity::session_idle);
    removed.sessions += remove(connection, "sessions WHERE created_at < ?", now - identity::session_lifetime);
    removed.idempotency_keys = remove(connection, "idempotency_keys WHERE created_at < ?", now - idempotency_key_age);
    removed.uploads = remove_uploads(connection, "attachments = 0 AND detached_at < ?", now - uploads_are_kept);
    removed.uploads +=
        remove_uploads(connection, "status = 'PENDING' AND attachments = 0 AND detached_at < ?", now - pending_uploads_are_kept);
    removed.notification_tokens =
        remove(connection, "notification_tokens WHERE updated_at < ?", now - notification_tokens_are_kept);
    removed.audit_events = remove(connection, "audit_log WHERE happened_at < ?", now - audit_events_are_kept);
    removed.deletions = remove(connection, "deletions WHERE deleted_at < ?", now - writes::deletions_are_kept);
    remove(connection, "record_history WHERE changed_at < ?", now - writes::history_is_kept);
    jobs::unlist_expired_jobs(connection, now);
    removed.counts = lists::compact_counts(connection);
    removed.changes = changes::prune(connection, now);
    removed.messages = outbox::prune(connection);
    return removed;
}

std::optional<db::Lease> begin_alone(Context& context, const std::string& what) {
    std::string holder;
    auto lease = db::Lease::take(context.connection(), what, longest_run, &holder);
    if (!lease && context.json)
        print({{"runningOn", holder}});
    else if (!lease)
        std::cout << "nothing done: " << what << " is running on " << holder << "\n";
    return lease;
}

}  // namespace tradepost::ctl
