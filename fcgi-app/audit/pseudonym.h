// What is left of a person in the audit log.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::audit {

// The rows that have the user as their target, or whose detail mentions the person, as `mentions` says. Reads all rows in pages, without locks:
// call it before the transaction of make_pseudonymous().
std::vector<core::Uuid> find_mentions(db::Connection& connection, const std::optional<core::Uuid>& user,
                                      const std::function<bool(std::string_view)>& mentions);

// Puts `pseudonym` in the place of the user. Removes client addresses, request ids and details from rows about the user, by the user, and from
// `mentions` (find_mentions()). Details that are one of a few fixed words, such as roles, stay. Inside a transaction; returns how many rows
// changed.
std::uint64_t make_pseudonymous(db::Connection& connection, const std::optional<core::Uuid>& user, const core::Uuid& pseudonym,
                                std::span<const core::Uuid> mentions);

}  // namespace tradepost::audit
