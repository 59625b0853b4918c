// Recounting: corrects the kept counts of a table from its rows.
#pragma once
#include <functional>
#include <span>

#include "lists/counting.h"

namespace tradepost::lists {

using Progress = std::function<void(std::size_t)>;

// Compares the counts of a table with its rows in one snapshot and adds the differences, so that writers may go on meanwhile. Stores
// counting_scheme, which makes the counts complete. `progress` gets the number of rows read so far. Returns how many counts were wrong.
// Takes minutes on a large table, in one transaction that changes counts at its end only.
std::size_t recount(db::Connection& connection, const CountedTable& table, const Progress& progress = {});

// The stored scheme of a table's counts; empty while they are not complete. Readers use the counts when it is counting_scheme.
std::optional<std::int64_t> scheme_of(db::Connection& connection, const CountedTable& table);

}  // namespace tradepost::lists
