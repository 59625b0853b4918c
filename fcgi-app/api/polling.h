// What the lists of stock and enquiries share: whose they are, and polls with `updatedSince` (contract, section 4).
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "http/pagination.h"

namespace tradepost::api {

// The organisation that is named, or all of the caller's. Throws 404 when that one is not theirs.
std::vector<core::Uuid> own_organisations(const Call& call, const std::optional<core::Uuid>& named);

// `updatedSince`: an RFC 3339 time, given once. Throws 400 for anything else; empty without one.
std::optional<core::Time> read_updated_since(const http::Query& query);

// Sets X-Next-Updated-Since: `until`, up to when this answer of a poll is whole; or, for a list that was no poll, a time that no
// transaction of ours under way can still get behind.
void set_next_poll(const Call& call, http::Response& response, const std::optional<core::Time>& until);

// The page of a list that is not remembered, with all its headers. `items`: a JSON array.
http::Response page_of_list(const Call& call, std::string_view collection, std::string_view items, const http::Page& page, std::int64_t total,
                            const std::optional<core::Time>& until);

}  // namespace tradepost::api
