// Removing users with what refers to them, in small transactions.
#pragma once
#include "core/clock.h"
#include "db/connection.h"

namespace tradepost::resources {

// Whether rows that outlive the user name it: enquiries that it sent, uploads, histories.
bool is_referred_to(db::Connection& connection, const core::Uuid& user_id);

// Takes the user off up to some hundred uploads or histories, or removes some of its idempotency keys, in a transaction of its own. Returns
// whether there was something to do. Throws db::Error.
bool detach_some(db::Connection& connection, const core::Uuid& user_id);

// The same, after the enquiries that it sent, and at last removes the user. Returns whether something is left to do. Nobody may act as the user
// any more.
bool remove_some(db::Connection& connection, const core::Clock& clock, const core::Uuid& user_id);

}  // namespace tradepost::resources
