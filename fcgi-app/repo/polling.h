// Polls with `updatedSince`: what they may show so that nothing is ever missed.
#pragma once
#include <optional>
#include <span>

#include "core/clock.h"
#include "db/connection.h"

namespace tradepost::repo {

// A time T such that every row of these organisations that has, or ever will get, an `updatedAt` before T is committed by now. A poll that
// shows rows up to T only, and whose next one begins at T or at the last `updatedAt` that it saw, misses none, in whatever order
// transactions commit. It waits for the writers that hold an organisation (Ownership) as they take their times after that.
// Throws db::Error with is_retryable() or is_timeout() when they do not come to an end within 5 seconds.
core::Time horizon(db::Connection& connection, std::span<const core::Uuid> organisation_ids, const core::Clock& clock);

// The same for the enquiries that a user sent, to anybody or to one organisation: also what they are sending at the moment, which holds
// their row (EnquiryWriter::find_target).
core::Time sender_horizon(db::Connection& connection, const core::Uuid& user_id, const std::optional<core::Uuid>& organisation_id,
                          const core::Clock& clock);

}  // namespace tradepost::repo
