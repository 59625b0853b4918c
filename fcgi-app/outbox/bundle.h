// Messages that several targets get alike, stored once. Each target has one row in its queue for all of them, which becomes messages of its
// own when its turn comes.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"
#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::outbox {

struct Part {
    std::optional<core::Uuid> item;  // what it tells of: when too much waits, a later part about the item replaces it
    std::string payload;             // as in Message
};

struct Bundle {
    std::string kind;                  // of the messages that it becomes; with bundle_suffix up to longest_kind
    std::vector<std::string> targets;  // as in Message
    std::vector<Part> parts;           // in the order in which they are sent; up to 8 MiB together
    std::optional<core::Uuid> organisation_id = {};
};

// Behind this stands the kind of a row that has a bundle. Releases without bundles do not know such a kind, and leave it to newer ones.
inline constexpr std::string_view bundle_suffix = " bundle";

// As send(): inside the transaction that causes it. Throws db::Error, or std::logic_error for what is too long.
void send(db::Connection& connection, core::Time now, const Bundle& bundle);

// Makes messages of a target's row, in its place: they have its position, and ids that ascend. Inside a transaction, by the holder of the
// target's lease. `message_id` is the row.
void unpack(db::Connection& connection, const core::Uuid& message_id, const core::Uuid& bundle_id);

// Keeps those parts of a bundle that `choose` returns. Inside a transaction; returns how many went. With the last part the bundle and its rows
// go.
std::size_t filter(db::Connection& connection, const core::Uuid& bundle_id,
                   const std::function<std::vector<Part>(std::vector<Part>)>& choose);

}  // namespace tradepost::outbox
