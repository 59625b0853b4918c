// Polls with `updatedSince` (contract, section 4): what the lists of stock and enquiries share.
#pragma once
#include <optional>

#include "api/call.h"

namespace tradepost::api {

// `updatedSince`: an RFC 3339 time, given once. Throws 400 for anything else; empty without one.
std::optional<core::Time> read_updated_since(const http::Query& query);

// Sets X-Next-Updated-Since: `until`, up to when this answer of a poll is whole; or, for a list that was no poll, a time that no
// transaction of ours under way can still get behind.
void set_next_poll(const Call& call, http::Response& response, const std::optional<core::Time>& until);

}  // namespace tradepost::api
