// What the dashboard's overview tells of an organisation's enquiries beside the totals of their list.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "db/connection.h"
#include "resources/enquiries/enquiry.h"

namespace tradepost::enquiries {

// The NEW or READ one that was sent first.
std::optional<core::Uuid> find_oldest_unanswered(db::Connection& connection, const core::Uuid& organisation_id);

// How many were sent before each of these times. However many there are, it reads a few hundred counts for each time.
std::vector<std::int64_t> sent_before(db::Connection& connection, const core::Uuid& organisation_id,
                                      std::span<const core::Time> times);

// How many seconds passed from an enquiry to its reply, of the newest replies since then; not more than 1,000 of them.
std::vector<std::int64_t> reply_times(db::Connection& connection, const core::Uuid& organisation_id, core::Time since);

// The middle one; of an even number the lower one of the two. Empty without any.
std::optional<std::int64_t> median(std::vector<std::int64_t> numbers);

}  // namespace tradepost::enquiries
