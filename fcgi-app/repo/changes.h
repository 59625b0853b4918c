// What one request writes: one transaction, repeated as a whole when the database asks for it.
#pragma once
#include <string>
#include <string_view>

#include "db/connection.h"
#include "repo/attachments.h"
#include "repo/collections.h"
#include "repo/enquiry_writer.h"
#include "repo/idempotency.h"
#include "repo/job_writer.h"
#include "repo/notification_tokens.h"
#include "repo/organisations.h"
#include "repo/ownership.h"
#include "repo/polling.h"
#include "repo/stock_writer.h"
#include "repo/uploads.h"

namespace tradepost::repo {

// Borrows the connection. The other members are for use inside run().
class Changes {
public:
    explicit Changes(db::Connection& connection) : connection_(connection) {}

    // Runs `work` in a transaction and commits it. Runs the whole of it again after a deadlock or a lock wait time-out, as
    // db::in_transaction() does, and when somebody took a key that `work` had found free. Returns what `work` returns.
    template <class Work>
    auto run(Work&& work) {
        for (attempt_ = 1;; ++attempt_) {
            try {
                return db::in_transaction(connection_, work);
            } catch (const db::Error& error) {
                if (!error.is_duplicate_key() || attempt_ == 5) throw;
            }
        }
    }

    Ownership ownership() { return Ownership(connection_); }
    IdempotencyKeys idempotency_key(const core::Uuid& user_id, std::string_view key, std::string_view request_hash) {
        return {connection_, user_id, key, request_hash};
    }
    Organisations organisations() { return Organisations(connection_); }
    Attachments attachments() { return Attachments(connection_); }
    JobWriter jobs() { return JobWriter(connection_); }
    StockWriter stock() { return StockWriter(connection_); }
    EnquiryWriter enquiries() { return EnquiryWriter(connection_); }
    Uploads uploads() { return Uploads(connection_); }
    NotificationTokens notification_tokens() { return NotificationTokens(connection_); }
    void touch(std::string_view collection) { repo::touch(connection_, collection); }

    // A slug for a new row of `table`, made from `title`, that nobody has; `kind` when nothing of the title is left.
    std::string slug(std::string_view table, std::string_view title, std::string_view kind);

    // Outside run(): see repo/polling.h.
    core::Time horizon(std::span<const core::Uuid> organisation_ids, const core::Clock& clock) { return repo::horizon(connection_, organisation_ids, clock); }
    core::Time sender_horizon(const core::Uuid& user_id, const std::optional<core::Uuid>& organisation_id, const core::Clock& clock) {
        return repo::sender_horizon(connection_, user_id, organisation_id, clock);
    }

private:
    db::Connection& connection_;
    int attempt_ = 1;
};

}  // namespace tradepost::repo
