// Sending a message: the writers' part of the outbox (README.md).
#pragma once
#include <span>

#include "db/connection.h"
#include "outbox/message.h"

namespace tradepost::outbox {

// Inside the transaction that causes them: they are delivered if it commits, and else never existed. Waits for nobody. Returns the ids in the
// order of the messages. Throws db::Error, or std::logic_error for a kind or target that is too long.
std::vector<core::Uuid> send(db::Connection& connection, core::Time now, std::span<const Message> messages);

inline core::Uuid send(db::Connection& connection, core::Time now, const Message& message) {
    return send(connection, now, std::span(&message, 1)).front();
}

}  // namespace tradepost::outbox
