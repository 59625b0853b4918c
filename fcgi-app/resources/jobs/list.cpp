#include "resources/jobs/list.h"

#include "lists/horizon.h"
#include "lists/selection.h"
#include "resources/jobs/expiry.h"
#include "resources/jobs/job.h"
#include "resources/jobs/rows.h"

namespace tradepost::jobs {
namespace {

using lists::Compare;
using lists::Filter;
using lists::Histogram;

constexpr int salary_shifts[] = {16, 8, 0};
const lists::CountedRange salaries[] = {
    {.column = "salary_high", .histogram = Histogram(2, salary_shifts), .rows_with_value = 1, .most_terms = 1},
    {.column = "salary_low", .histogram = Histogram(5, salary_shifts), .rows_with_value = 1, .most_terms = 1},
};

// Buckets of 50 days, 9 hours and 4 minutes; 50 and 3 days; 50 days. A bucket need not be narrower than what is quickly walked, and each
// level is one more count that writers keep.
constexpr int shifts_of_all[] = {32, 25, 18}, shifts_of_one[] = {32, 28}, shifts_of_pairs[] = {32};
constexpr Histogram by_publication[] = {Histogram(8, shifts_of_all), Histogram(11, shifts_of_one),
                                        Histogram(13, shifts_of_pairs)};

// clang-format off
constexpr Filter filters[] = {
    {.parameter = "organisationId", .compare = Compare::id,       .column = "organisation_id", .index = {"jobs_organisation", 5},        .count = 'o', .few_rows = true},
    {.parameter = "category",       .compare = Compare::folded,   .column = "category_key",    .index = {"jobs_category", 3, true},      .count = 'c', .facet = 100, .written = "category"},
    {.parameter = "department",     .compare = Compare::folded,   .column = "department_key",  .index = {"jobs_department", 2, true},    .count = 'd', .facet = 101, .written = "department"},
    {.parameter = "contractType",   .compare = Compare::code,     .column = "contract_type",   .index = {"jobs_contract_type", 1, true}, .count = 't', .facet = 102},
    {.parameter = "city",           .compare = Compare::folded,   .column = "city_key",        .index = {"jobs_city", 4, true},          .count = 'y', .facet = 103, .written = "city"},
    {.parameter = "salaryMin",      .compare = Compare::at_least, .column = "salary_high",     .index = {"jobs_salary"}, .range = &salaries[0], .most = open_salary},
    {.parameter = "salaryMax",      .compare = Compare::at_most,  .column = "salary_low",      .index = {"jobs_salary"}, .range = &salaries[1], .not_below = "salaryMin"},
};
// clang-format on

constexpr std::string_view by_salary = "salary";
const lists::Order orders[] = {
    {.name = by_salary, .column = "salary_high", .index = "jobs_salary_high", .counted = &salaries[0]}};
constexpr lists::Order member_orders[] = {{.name = by_salary, .column = "salary_high"},
                                          {.name = "updated", .column = "updated_at", .index = "jobs_poll"}};

// The members' list is of one organisation, whose rows are few: of its filters the status alone is counted.
std::vector<Filter> member_filters() {
    std::vector<Filter> all{{.parameter = "status", .compare = Compare::code, .column = "status", .count = 'S'}};
    for (const auto& filter : filters) {
        if (filter.parameter == "organisationId") continue;
        all.push_back(filter);
        all.back().index = {};
        all.back().count = 0;
        all.back().range = nullptr;
    }
    all.push_back({.parameter = "expiresFrom", .compare = Compare::from, .column = "expires_at"});
    all.push_back({.parameter = "expiresTo", .compare = Compare::to, .column = "expires_at", .not_below = "expiresFrom"});
    all.push_back({.parameter = "reference", .compare = Compare::text, .column = "reference", .index = {"jobs_reference", 4}});
    return all;
}

constexpr lists::Hidden expired{
    .column = "expires_at",
    .from_then_on = true,
    .shown = "(t.expires_at IS NULL OR t.expires_at > ?)",
    .hidden = "t.expires_at <= ?",
    .index = "jobs_expiry",
    .next = "(SELECT MIN(expires_at) FROM jobs FORCE INDEX (jobs_expiry) WHERE listed = 1 AND expires_at > ?)",
    .remove = unlist_expired_jobs,
};

constexpr lists::Searched words{"job_search", "job_id"};

core::Time horizon(db::Connection& connection, const lists::Selection& selection, const core::Clock& clock) {
    return lists::horizon(connection, "jobs", selection.owners, clock);
}

void write_items(json::Writer& writer, db::Rows& rows) {
    for (auto& row : rows) write(writer, read(row, false), false);
}

}  // namespace

const lists::List& public_list() {
    static const lists::List list{
        .name = "jobs",
        .collection = "jobs",
        .table = "jobs",
        .scope = lists::listed,
        .index = "jobs_listed",
        .order = "published_at",
        .orders = orders,
        .filters = filters,
        .most_terms = 2,
        .by_order = by_publication,
        .ranges = salaries,
        .most_terms_of_facets = 1,
        .hidden = &expired,
        .searched = &words,
        .columns = columns(false),
        .joins = joins,
        .write = write_items,
    };
    return list;
}

const lists::List& member_list() {
    static const auto its_filters = member_filters();
    static const lists::List list{
        .name = "jobs of members",
        .collection = "jobs",
        .table = "jobs",
        .scope = "organisation_id",
        .scope_count = 'O',
        .index = "jobs_organisation",
        .order = "published_at",
        .order_may_be_null = true,  // of drafts
        .orders = member_orders,
        .filters = its_filters,
        .most_terms = 1,
        .by_order = std::span(&by_publication[1], 1),
        .searched = &words,
        .poll_index = "jobs_poll",
        .horizon = horizon,
        .columns = columns(false),
        .joins = joins,
        .write = write_items,
    };
    return list;
}

const lists::CountedTable& counted_table() {
    static const lists::CountedTable table({&public_list(), &member_list()});
    return table;
}

}  // namespace tradepost::jobs
