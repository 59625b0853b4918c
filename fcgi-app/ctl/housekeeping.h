// Removing what is of no use any more, in statements that lock little.
#pragma once
#include <cstdint>
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
// expired jobs off the lists' counts too, and removes counts that say nothing (lists/compact_counts.h) and changes that all
// readers have taken (changes/readers.h). Enquiries that were sent before a given time go, too, and messages of the outbox that were delivered or died long ago.
Removed prune(db::Connection& connection, core::Time now, const std::optional<core::Time>& enquiries_before = {});

// Lets one host at a time do `what`. Empty while another one does, which is then printed.
std::optional<db::Lease> begin_alone(Context& context, const std::string& what);

}  // namespace tradepost::ctl
