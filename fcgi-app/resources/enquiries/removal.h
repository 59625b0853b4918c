// Removing enquiries that are not to be kept, old ones and those of a person who is to be forgotten, and senders that are deleted.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "db/connection.h"

namespace tradepost::enquiries {

// Those that were sent before then. In transactions of few rows each; returns how many.
std::uint64_t remove_sent_before(db::Connection& connection, core::Time before);

// Those that this user sent, and those that name this address (identity::email_key()), whoever sent them. Reads all enquiries: nothing else
// asks for an address, so there is no index.
std::vector<core::Uuid> find_of_person(db::Connection& connection, const std::optional<core::Uuid>& user_id,
                                       std::string_view email_key);

// Up to `most` of those that the user sent.
std::vector<core::Uuid> sent_by(db::Connection& connection, const core::Uuid& user_id, std::int64_t most);

// Takes the sender off some of these, in one transaction, as a change that polls, counts and the change log show. Returns whether there were
// some. Throws db::Error.
bool forget_sender(db::Connection& connection, const core::Clock& clock, const core::Uuid& user_id);

// In transactions of few rows each; returns how many there were.
std::uint64_t remove(db::Connection& connection, std::span<const core::Uuid> ids);

}  // namespace tradepost::enquiries
