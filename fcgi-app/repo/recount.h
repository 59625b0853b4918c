// Bringing the lists' counts in line with the rows.
#pragma once
#include <functional>

#include "db/connection.h"

namespace tradepost::repo {

using Progress = std::function<void(std::size_t)>;

// Compares the counts of jobs with the rows as of one moment and adds what the counts lack, so that writers may go on meanwhile;
// then marks them complete. `progress` is told of the rows read so far. Returns how many counts were wrong. Runs for minutes on a
// large table, in one transaction that writes at its end only.
std::size_t recount_jobs(db::Connection& connection, const Progress& progress = {});

// The same for every list, one after another.
std::size_t recount_totals(db::Connection& connection, const Progress& progress = {});

// Whether the counts of all lists are complete, so that readers use them.
bool totals_are_kept(db::Connection& connection);

}  // namespace tradepost::repo
