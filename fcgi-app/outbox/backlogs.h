// Bounds what waits of each organisation in bundles: what a later message says again need not be said before.
#pragma once
#include <cstdint>
#include <map>

#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::outbox {

// Beyond these bytes, or the parts that [limits] organisation_outbox allows, older parts about the same item are dropped. Parts about
// different items stay: receivers miss none.
inline constexpr std::int64_t most_bytes = 16 << 20;

// Borrows the connection. For one process at a time.
class Backlogs {
public:
    Backlogs(db::Connection& connection, std::uint64_t most_parts) : connection_(connection), most_parts_(most_parts) {}

    // Merges the backlogs that are too large. A part is dropped when each target of its bundle gets a later one about the item. Returns how
    // many parts were. Throws db::Error.
    std::uint64_t merge();

private:
    db::Connection& connection_;
    const std::uint64_t most_parts_;              // of an organisation
    std::map<core::Uuid, std::int64_t> settled_;  // parts that were left the last time, by organisation
};

}  // namespace tradepost::outbox
