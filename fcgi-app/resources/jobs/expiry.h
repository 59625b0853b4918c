// Jobs that have expired leave the lists' indexes and counts.
#pragma once
#include "db/connection.h"

namespace tradepost::jobs {

// Takes at most `limit` jobs that expired before `now` off the lists, in a transaction of its own, and returns how many. Readers
// see nothing of it: an expired job is not shown before either. What another transaction has locked is left for the next time.
std::size_t unlist_expired_jobs(db::Connection& connection, core::Time now, int limit);

// The same for all, in several transactions.
std::size_t unlist_expired_jobs(db::Connection& connection, core::Time now);

}  // namespace tradepost::jobs
