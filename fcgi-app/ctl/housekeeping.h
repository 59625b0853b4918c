// Removing what is of no use any more, in statements that lock little.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ctl/context.h"
#include "db/connection.h"
#include "db/lease.h"

namespace tradepost::ctl {

struct Removed {
    std::uint64_t tokens = 0, sessions = 0, idempotency_keys = 0, uploads = 0, notification_tokens = 0, audit_events = 0,
                  deletions = 0, counts = 0, changes = 0, enquiries = 0, messages = 0;
};

// identity::Tokens that expired or were revoked more than 30 days ago, sessions that were idle for 12 hours, idempotency keys older
// than 24, notification tokens that were not registered again for 400 days, events of the audit log and of the history of rows that are as old, deletions of rows 91 days ago, uploads that nothing has been attached to for 24 hours, and those whose bytes never came within one. Takes
// expired jobs off the lists' counts too, and removes counts that say nothing (counts/compact.h) and changes that all
// readers have taken (changes/readers.h). Of the audit log an organisation keeps its newest `audit_rows` events. Tells of tokens that end soon, too (me::tell_of_expiring). Enquiries that were sent before a given time go, too, and messages of the outbox that were delivered or died long ago.
Removed prune(db::Connection& connection, core::Time now, const std::optional<core::Time>& enquiries_before = {},
              std::uint64_t audit_rows = core::LimitsConfig().organisation_audit_rows);

// Lets one process of all hosts do `what` at a time. Null while another one does, `holder`. A process that loses its lease ends.
std::unique_ptr<db::KeptLease> take_lease(Context& context, const std::string& what, std::string& holder);

// The same. Prints who has the lease when it is taken.
std::unique_ptr<db::KeptLease> begin_alone(Context& context, const std::string& what);

// Compares the kept totals of all lists with the rows and corrects them; then no cached list is used again. Returns how many were wrong.
std::size_t recount_totals(db::Connection& connection, core::Time now);

// Whether this release reads the kept totals of all lists.
bool totals_are_kept(db::Connection& connection);

}  // namespace tradepost::ctl
