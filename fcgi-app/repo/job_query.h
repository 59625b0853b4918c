// The SQL of the jobs' lists.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "repo/conditions.h"
#include "repo/jobs.h"
#include "repo/list_counts.h"

namespace tradepost::repo::job_query {

// What the filter shows at `now`; the table is `t`.
Conditions conditions(const JobFilter& filter, core::Time now);

// What counts as the filter's rows and is not shown any more; " FROM … WHERE " for it.
Conditions expired(const JobFilter& filter, core::Time now);
extern const std::string from_expired;

// A subquery with one value: when the next listed job expires after that.
extern const char* const next_expiry;

// The index that has the filter's rows in the lists' order, as SQL.
std::string index(const JobFilter& filter);

// Whether its rows are all found, up to expired ones: no column that another part of the filter asks for has to be looked at.
bool index_answers(const JobFilter& filter);

// One filter for each value of what index() has in front.
std::vector<JobFilter> single_values(const JobFilter& filter);

// Columns that tell the filter's total as the writers keep it, all of one statement and so as of one moment. Owns what its values
// borrow.
class KeptTotal {
public:
    KeptTotal(const JobFilter& filter, core::Time now);
    KeptTotal(const KeptTotal&) = delete;
    KeptTotal& operator=(const KeptTotal&) = delete;

    bool exists() const { return exists_; }  // else nobody keeps it, and the rest is empty
    const std::string& columns() const { return columns_; }
    std::size_t width() const { return every_state_ ? 2 : 4; }  // columns
    const std::vector<db::Value>& values() const { return values_; }
    // From a row whose column `first` is the first of columns(); empty while counts are not complete.
    std::optional<Count> read(const db::Row& row, std::size_t first) const;

private:
    bool exists_ = false, every_state_;
    std::vector<FilterKey> keys_;
    Conditions expired_;
    std::string columns_;
    std::vector<db::Value> values_;
};

}  // namespace tradepost::repo::job_query
