// The horizon of a poll: the time up to which all changes are committed, so that polls with `updatedSince` miss none.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "core/clock.h"
#include "db/connection.h"

namespace tradepost::lists {

// A time T such that all changes of these organisations' rows in `table` with an `updatedAt` up to T are committed, and none will get such
// a time later. A poll shows rows up to T, and the next one begins at T or at the last `updatedAt` that it saw; so they miss no change, in
// whatever order transactions commit and whatever the clocks of their hosts say. To find T, this locks the organisations' rows, which waits
// for the writers that hold them (writes::Ownership), and stores T as `polled_until`; later writers take later times, by after_polls().
// Throws db::Error with is_retryable() or is_timeout() when the writers do not end within 250 ms.
// `column` is that of `updatedAt`.
core::Time horizon(db::Connection& connection, std::string_view table, std::span<const core::Uuid> organisation_ids,
                   const core::Clock& clock, std::string_view column = "updated_at");

// The same for the enquiries that a user sent, to anybody or to one organisation. It waits for those that are being sent, too, which hold
// the user's row (enquiries::EnquiryWriter::find_target).
core::Time sender_horizon(db::Connection& connection, const core::Uuid& user_id, const std::optional<core::Uuid>& organisation_id,
                          const core::Clock& clock);

// The `updatedAt` of a row that changes at `now`, where polls are complete up to `polled_until`.
inline core::Time after_polls(core::Time now, const std::optional<core::Time>& polled_until) {
    return polled_until ? std::max(now, *polled_until + core::milliseconds(1)) : now;
}

}  // namespace tradepost::lists
