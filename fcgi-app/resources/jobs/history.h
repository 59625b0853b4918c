// The history of jobs.
#pragma once
#include <span>

#include "db/connection.h"
#include "resources/jobs/job.h"

namespace tradepost::jobs {

// Inside the transaction that writes `jobs`: what differs from `rows`, those of them that there were, and who did it.
void record_history(db::Connection& connection, std::span<const Job> jobs, std::span<const Job> rows);

}  // namespace tradepost::jobs
