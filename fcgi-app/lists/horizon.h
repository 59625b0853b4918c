// Polls with `updatedSince`: the horizon, which is the time up to which all changes are committed, and the position of the next page.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/clock.h"
#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::lists {

// A position in a poll, from which its next page continues. Page numbers would skip rows when others leave the set between two requests.
struct Position {
    core::Time until;  // up to which the poll is complete, as its first page found
    core::Time time;   // of the last row that was shown, in the column that orders the list; no_time if it has none
    core::Uuid id;

    // The value of the query parameter `position`.
    std::string to_string() const;
    // Empty for a text that is not a position.
    static std::optional<Position> parse(std::string_view text);
};
inline constexpr core::Time no_time = core::Time::min();

// A time T such that all changes of these organisations' rows in `table` with an `updatedAt` up to T are committed, and none will get such
// a time later. A poll shows rows up to T, and the next one begins at T or at the last `updatedAt` that it saw; so they miss no change, in
// whatever order transactions commit and whatever the clocks of their hosts say. To find T, this locks the organisations' rows, which waits
// for the writers that hold them (writes::Ownership), and stores T as `polled_until`; later writers take later times, by after_polls().
// A feed writes for longer: while it does, T is a time before it (feeds::announce_writing).
// Throws db::Error with is_retryable() or is_timeout() when the writers do not end within database.lock_wait_ms.
// `column` is that of `updatedAt`.
core::Time horizon(db::Connection& connection, std::string_view table, std::span<const core::Uuid> organisation_ids,
                   const core::Clock& clock, std::string_view column = "updated_at");

// Returns such a time for the enquiries that a user sent, to anybody or to one organisation. It waits for those that are being sent, too, which hold
// the user's row (enquiries::EnquiryWriter::find_target).
core::Time sender_horizon(db::Connection& connection, const core::Uuid& user_id, const std::optional<core::Uuid>& organisation_id,
                          const core::Clock& clock);

// The `updatedAt` of a row that changes at `now`, where polls are complete up to `polled_until`.
inline core::Time after_polls(core::Time now, const std::optional<core::Time>& polled_until) {
    return polled_until ? std::max(now, *polled_until + core::milliseconds(1)) : now;
}

}  // namespace tradepost::lists
