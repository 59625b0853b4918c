#include "repo/job_query.h"

#include <algorithm>
#include <map>

#include "core/text.h"
#include "repo/job_counts.h"

namespace tradepost::repo::job_query {
namespace {

void add_filters(Conditions& where, const JobFilter& filter) {
    if (filter.organisation_id) where.add("t.organisation_id = ?", {*filter.organisation_id});
    where.add_folded("t.city_key", filter.cities);
    where.add_folded("t.category_key", filter.categories);
    where.add_folded("t.department_key", filter.departments);
    where.add_texts("t.contract_type", filter.contract_types);
    // salary_low and salary_high are NULL for a job without a salary, which no comparison lets through.
    if (filter.salary_min) where.add("t.salary_high >= ?", {std::min(*filter.salary_min, open_salary)});
    if (filter.salary_max) where.add("t.salary_low <= ?", {*filter.salary_max});
}

}  // namespace

Conditions conditions(const JobFilter& filter, core::Time now) {
    Conditions where;
    if (filter.every_state) {
        where.add_texts("t.status", filter.statuses);
    } else {
        where.add("t.listed = 1");
        where.add("(t.expires_at IS NULL OR t.expires_at > ?)", {now});
    }
    add_filters(where, filter);
    return where;
}

Conditions expired(const JobFilter& filter, core::Time now) {
    Conditions where;
    where.add("t.listed = 1");
    where.add("t.expires_at <= ?", {now});
    add_filters(where, filter);
    return where;
}
const std::string from_expired = " FROM jobs t FORCE INDEX (jobs_expiry) WHERE ";
const char* const next_expiry =
    "(SELECT MIN(expires_at) FROM jobs FORCE INDEX (jobs_expiry) WHERE listed = 1 AND expires_at > ?)";

// Left to itself the optimizer walks from the newest row whatever the filter, which takes seconds on a large table.
std::string index(const JobFilter& filter) {
    if (filter.organisation_id) return " FORCE INDEX (jobs_organisation)";
    if (!filter.cities.empty()) return " FORCE INDEX (jobs_city)";
    if (!filter.categories.empty()) return " FORCE INDEX (jobs_category)";
    if (!filter.departments.empty()) return " FORCE INDEX (jobs_department)";
    if (!filter.contract_types.empty()) return " FORCE INDEX (jobs_contract_type)";
    if (filter.salary_min || filter.salary_max) return " FORCE INDEX (jobs_salary)";
    return " FORCE INDEX (jobs_listed)";
}

bool index_answers(const JobFilter& filter) {
    if (filter.organisation_id || filter.salary_min || filter.salary_max) return false;
    return filter.cities.size() + filter.categories.size() + filter.departments.size() + filter.contract_types.size() <= 1;
}

std::vector<JobFilter> single_values(const JobFilter& filter) {
    constexpr std::size_t most = 16;
    std::vector<std::string> JobFilter::*texts = nullptr;
    if (filter.organisation_id) return {filter};
    for (auto each : {&JobFilter::contract_types, &JobFilter::departments, &JobFilter::categories, &JobFilter::cities})
        if (!(filter.*each).empty()) texts = each;
    if (!texts) return {filter};
    std::map<std::string, std::string> by_key;
    for (const auto& text : filter.*texts)
        by_key.emplace(texts == &JobFilter::contract_types ? text : core::fold_key(text), text);
    if (by_key.size() > most) return {filter};
    std::vector<JobFilter> filters;
    for (const auto& [key, text] : by_key) {
        filters.push_back(filter);
        filters.back().*texts = {text};
    }
    return filters;
}

KeptTotal::KeptTotal(const JobFilter& filter, core::Time now) : every_state_(filter.every_state) {
    const auto sum = total_of(filter, keys_);
    if (!sum) return;
    exists_ = true;
    columns_ = std::string(counts_are_complete()) + ", " + sum->sql;
    values_.emplace_back("jobs");
    values_.insert(values_.end(), sum->values.begin(), sum->values.end());
    if (every_state_) return;
    expired_ = expired(filter, now);
    columns_ += std::string(", ") + next_expiry + ", (SELECT COUNT(*)" + from_expired + expired_.sql() + ")";
    const auto values = expired_.values();
    values_.emplace_back(now);
    values_.insert(values_.end(), values.begin(), values.end());
}

std::optional<Count> KeptTotal::read(const db::Row& row, std::size_t first) const {
    if (row.is_null(first)) return {};
    if (every_state_) return Count{row.integer(first + 1)};
    Count count{row.integer(first + 1) - row.integer(first + 3), row.opt_time(first + 2)};
    count.expired = row.integer(first + 3);
    return count;
}

}  // namespace tradepost::repo::job_query
