#include "resources/jobs/lists.h"

#include "resource/rows.h"
#include "resources/jobs/expiry.h"
#include "resources/jobs/job.h"

namespace tradepost::jobs {
namespace {

using counts::Histogram;
using lists::Compare;
using lists::Filter;

constexpr int salary_shifts[] = {16, 8, 0};
const counts::Range salaries[] = {
    {.column = "salary_high", .histogram = Histogram(2, salary_shifts), .rows_with_value = 1, .most_letters = 1},
    {.column = "salary_low", .histogram = Histogram(5, salary_shifts), .rows_with_value = 1, .most_letters = 1},
};

// Buckets of 50 days, 9 hours and 4 minutes; 50 and 3 days; 50 days. A bucket need not be narrower than what is quickly walked, and each
// level is one more count that writers keep.
constexpr int shifts_of_all[] = {32, 25, 18}, shifts_of_one[] = {32, 28}, shifts_of_pairs[] = {32};
constexpr Histogram by_publication[] = {Histogram(8, shifts_of_all), Histogram(11, shifts_of_one),
                                        Histogram(13, shifts_of_pairs)};

// clang-format off
constexpr counts::Letter letters[] = {
    {.letter = 'o', .column = "organisation_id", .detail = counts::Detail::few_rows},
    {.letter = 'c', .column = "category_key"},
    {.letter = 'd', .column = "department_key"},
    {.letter = 't', .column = "contract_type"},
    {.letter = 'y', .column = "city_key"},
};
constexpr counts::Letter member_letters[] = {{.letter = 'S', .column = "status"}};
constexpr counts::Facet facets[] = {
    {.name = "category",     .measure = 100, .column = "category",   .folded = true},
    {.name = "department",   .measure = 101, .column = "department", .folded = true},
    {.name = "contractType", .measure = 102, .column = "contract_type"},
    {.name = "city",         .measure = 103, .column = "city",       .folded = true},
};

constexpr Filter filters[] = {
    {.parameter = "organisationId", .compare = Compare::id,       .column = "organisation_id", .index = {"jobs_organisation", 5}},
    {.parameter = "category",       .compare = Compare::folded,   .column = "category_key",    .index = {"jobs_category", 3, true}},
    {.parameter = "department",     .compare = Compare::folded,   .column = "department_key",  .index = {"jobs_department", 2, true}},
    {.parameter = "contractType",   .compare = Compare::code,     .column = "contract_type",   .index = {"jobs_contract_type", 1, true}},
    {.parameter = "city",           .compare = Compare::folded,   .column = "city_key",        .index = {"jobs_city", 4, true}},
    {.parameter = "salaryMin",      .compare = Compare::at_least, .column = "salary_high",     .index = {"jobs_salary"}, .most = open_salary},
    {.parameter = "salaryMax",      .compare = Compare::at_most,  .column = "salary_low",      .index = {"jobs_salary"}, .not_below = "salaryMin"},
};
// clang-format on

constexpr std::string_view by_salary = "salary";
constexpr lists::Order orders[] = {{.name = by_salary, .column = "salary_high", .index = "jobs_salary_high"}};
constexpr lists::Order member_orders[] = {{.name = by_salary, .column = "salary_high"},
                                          {.name = "updated", .column = "updated_at", .index = "jobs_poll"}};

// The members' list is of one organisation, whose rows are few: of its filters the status alone is counted.
std::vector<Filter> member_filters() {
    std::vector<Filter> all{{.parameter = "status", .compare = Compare::code, .column = "status"}};
    for (const auto& filter : std::span(filters).subspan(1)) {
        all.push_back(filter);
        all.back().index = {};
    }
    all.push_back({.parameter = "expiresFrom", .compare = Compare::from, .column = "expires_at"});
    all.push_back({.parameter = "expiresTo", .compare = Compare::to, .column = "expires_at", .not_below = "expiresFrom"});
    all.push_back(
        {.parameter = "reference", .compare = Compare::reference, .column = "reference", .index = {"jobs_reference", 4}});
    return all;
}

}  // namespace

const lists::List& public_list() {
    static const auto expired = resource::hidden<Job>("jobs_expiry", unlist_expired_jobs);
    static const lists::List list{
        .collection = "jobs",
        .table = "jobs",
        .scope = lists::listed,
        .order = {.column = "published_at", .index = "jobs_listed"},
        .orders = orders,
        .filters = filters,
        .counts = {.letters = letters,
                   .most_letters = 2,
                   .by_order = by_publication,
                   .ranges = salaries,
                   .facets = facets,
                   .most_letters_of_facets = 1},
        .hidden = &expired,
        .searched = &words,
        .items = resource::items<Job>(),
    };
    return list;
}

const lists::List& member_list() {
    static const auto its_filters = member_filters();
    static const lists::List list{
        .collection = "jobs",
        .table = "jobs",
        .scope = "organisation_id",
        .order = {.column = "published_at", .index = "jobs_organisation", .may_be_null = true},  // of drafts
        .orders = member_orders,
        .filters = its_filters,
        .counts = {.owner = 'O',
                   .letters = member_letters,
                   .most_letters = 1,
                   .by_order = std::span(&by_publication[1], 1),
                   .facets = facets},
        .searched = &words,
        .poll = resource::poll<Job>(),
        .items = resource::items<Job>(),
    };
    return list;
}

}  // namespace tradepost::jobs
