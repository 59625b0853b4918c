// What follows from a change of an account and may be much: messages of the outbox, of which tradepost-deliver does some rows in each transaction.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/clock.h"
#include "db/connection.h"

namespace tradepost::accounts {

inline constexpr std::string_view renaming_kind = "organisation renaming", removal_kind = "user removal";

// Inside the transaction that renames the organisation, or deletes the integration. The second returns false when the organisation has none
// with this id; it has no rights from the commit on, and is gone once its message is done.
void follow_renaming(db::Connection& connection, const core::Uuid& organisation_id, core::Time now);
bool remove_integration(db::Connection& connection, const core::Uuid& organisation_id, const core::Uuid& id, core::Time now);

// Does a part of what a message asks for, in some transactions; doing it again does no harm. Returns the payload of a message that does the
// rest; empty when nothing is left. Throws db::Error.
std::optional<std::string> renaming_step(db::Connection& connection, const core::Clock& clock, const std::string& payload);
std::optional<std::string> removal_step(db::Connection& connection, const core::Clock& clock, const std::string& payload);

}  // namespace tradepost::accounts
