#include "repo/housekeeping_writer.h"

#include "repo/sessions.h"

namespace tradepost::repo {
namespace {

using namespace std::chrono_literals;
constexpr std::chrono::days tokens_are_kept{30};
constexpr auto idempotency_key_age = 24h, uploads_are_kept = 24h, pending_uploads_are_kept = 1h;
constexpr int batch = 500;

std::uint64_t remove(db::Connection& connection, const std::string& from, core::Time before) {
    std::uint64_t removed = 0;
    for (;;) {
        const auto count = db::in_transaction(connection, [&] {
            return connection.execute("DELETE FROM " + from + " LIMIT ?", {before, batch});
        });
        removed += count;
        if (count < batch) return removed;
    }
}

}  // namespace

Removed prune(db::Connection& connection, core::Time now) {
    Removed removed;
    removed.tokens = remove(connection, "api_tokens WHERE expires_at < ?", now - tokens_are_kept);
    removed.tokens += remove(connection, "api_tokens WHERE revoked_at < ?", now - tokens_are_kept);
    removed.sessions = remove(connection, "sessions WHERE last_seen_at < ?", now - session_idle);
    removed.idempotency_keys = remove(connection, "idempotency_keys WHERE created_at < ?", now - idempotency_key_age);
    removed.uploads = remove(connection, "uploads WHERE attachments = 0 AND detached_at < ?", now - uploads_are_kept);
    removed.uploads += remove(connection, "uploads WHERE status = 'PENDING' AND attachments = 0 AND detached_at < ?",
                              now - pending_uploads_are_kept);
    return removed;
}

}  // namespace tradepost::repo
