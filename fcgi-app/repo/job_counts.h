// Which counts of the jobs' lists a job takes part in, and which add up to a filter's total.
#pragma once
#include <optional>

#include "domain/job.h"
#include "repo/histogram.h"
#include "repo/jobs.h"

namespace tradepost::repo {

// What of a row the lists' filters look at. Empty texts: none.
struct CountedJob {
    static constexpr std::string_view columns =
        "listed, status, organisation_id, category_key, department_key, contract_type, city_key, salary_low, salary_high, "
        "published_at";

    bool listed = false;
    std::string status, organisation_id, category_key, department_key, contract_type, city_key;
    std::optional<std::int64_t> salary_low, salary_high;
    std::optional<core::Time> published_at;

    // From `columns`, the first of which is column `first`.
    static CountedJob read(const db::Row& row, std::size_t first);
};

// Adds `n` for the job to each count that it takes part in: what is listed by none, one or two of organisation, category,
// department, contract type and city, and by publication too; with none or one of them by salary; an organisation's own, by
// status too.
void count(CountChanges& changes, const CountedJob& job, std::int64_t n);

// The sum that is `filter`'s total, jobs that are listed still although they have expired included; empty when nobody keeps it.
// `keys` is borrowed by the sum.
std::optional<CountSum> total_of(const JobFilter& filter, std::vector<FilterKey>& keys);

// The filter as the key of its counts, if rows are counted by publication under it, and how.
struct CountedByPublication {
    FilterKey key;
    const Histogram& histogram;  // of publication_value()
};
std::optional<CountedByPublication> counted_by_publication(const JobFilter& filter);

// Milliseconds since 1970, older times as 0.
std::uint64_t publication_value(core::Time published_at);

}  // namespace tradepost::repo
