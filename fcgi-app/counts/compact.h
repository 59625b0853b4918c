// Compaction of list_counts: removes counts that are zero, and merges the shards of each count.
#pragma once
#include <cstdint>

#include "db/connection.h"

namespace tradepost::counts {

// Deletes counts that are zero, and adds up the shards of a count in one of them. The sums never change. It works in short transactions and
// leaves out rows that a writer has locked. Returns the number of rows that it removed.
std::uint64_t compact(db::Connection& connection);

}  // namespace tradepost::counts
