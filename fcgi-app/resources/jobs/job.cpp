#include "resources/jobs/job.h"

#include "core/text.h"
#include "resource/description.h"
#include "resources/jobs/lists.h"
#include "search/grammar/tokens.h"
#include "webhooks/webhook.h"

namespace tradepost::jobs {
namespace {

constexpr std::string_view contract_types[] = {"PERMANENT", "FIXED_TERM",     "TEMPORARY",
                                               "CONTRACT",  "APPRENTICESHIP", "INTERNSHIP"};
constexpr std::string_view working_hours[] = {"FULL_TIME", "PART_TIME"};
constexpr std::string_view workplaces[] = {"ON_SITE", "HYBRID", "REMOTE"};
constexpr std::string_view salary_periods[] = {"HOUR", "DAY", "WEEK", "MONTH", "YEAR"};
constexpr std::string_view statuses[] = {"DRAFT", "PUBLISHED", "CLOSED", "ARCHIVED"};
constexpr std::int64_t max_salary = 1'000'000'000;

const fields::Field<Job> job_fields[] = {
    {"reference", fields::rules::reference(fields::Presence::optional), &Job::reference},
    {"title", fields::rules::required_text(150), &Job::title},
    {"summary", fields::rules::lines(300), &Job::summary},
    {"description", fields::rules::lines(20000), &Job::description, fields::Use::detail},
    {"category", fields::rules::text(80), &Job::category},
    {"department", fields::rules::text(80), &Job::department},
    {"contractType", fields::rules::choice(contract_types), &Job::contract_type},
    {"workingHours", fields::rules::choice(working_hours), &Job::working_hours},
    {"workplace", fields::rules::choice(workplaces), &Job::workplace},
    {"city", fields::rules::text(80), &Job::city},
    {"postalCode", fields::rules::text(16), &Job::postal_code},
    {"country", fields::rules::of(fields::Kind::country), &Job::country},
    {"salaryMin", fields::rules::money(max_salary, {"salaryCurrency"}), &Job::salary_min},
    {"salaryMax", fields::rules::money(max_salary, {"salaryCurrency"}), &Job::salary_max},
    {"salaryCurrency", fields::rules::of(fields::Kind::currency), &Job::salary_currency},
    {"salaryPeriod", fields::rules::choice(salary_periods), &Job::salary_period},
    {"applyUrl", fields::rules::of(fields::Kind::https_url), &Job::apply_url},
    {"applyEmail", fields::rules::of(fields::Kind::email), &Job::apply_email},
    {"status", fields::rules::choice(statuses, fields::Presence::defaulted), &Job::status},
    {"publishedAt", fields::rules::time(), &Job::published_at, fields::Use::read_only},
    {"expiresAt", fields::rules::time(), &Job::expires_at},
    {"createdAt", fields::rules::time(fields::Presence::defaulted), &Job::created_at, fields::Use::read_only},
    {"updatedAt", fields::rules::time(fields::Presence::defaulted), &Job::updated_at, fields::Use::read_only},
};

constexpr resource::State states[] = {
    {.name = "DRAFT", .next = {"PUBLISHED"}, .begins = true},
    {.name = "PUBLISHED", .next = {"CLOSED", "ARCHIVED"}, .begins = true},
    {.name = "CLOSED", .next = {"PUBLISHED", "ARCHIVED"}},
    {.name = "ARCHIVED", .next = {"DRAFT"}, .put_next = "PUBLISHED"},
};

// What is wrong with the job as a whole: salaryMin over salaryMax, or published without what readers need (description, category,
// contractType, and a city unless it is REMOTE).
std::optional<fields::Fault> fault(const Job& job) {
    if (job.salary_min && job.salary_max && *job.salary_min > *job.salary_max)
        return fields::Fault{"salaryMax", "must not be below salaryMin"};
    if (job.status != "PUBLISHED") return {};
    static const std::string why = "is required to publish";
    const auto missing = [](const std::optional<std::string>& text) { return !text || text->empty(); };
    if (missing(job.description)) return fields::Fault{"description", why};
    if (missing(job.category)) return fields::Fault{"category", why};
    if (missing(job.contract_type)) return fields::Fault{"contractType", why};
    if (missing(job.city) && job.workplace != "REMOTE") return fields::Fault{"city", why + " unless workplace is REMOTE"};
    return {};
}

// publishedAt goes with the status: it is set by the first publication, stays while the job is closed and opened again, and is empty in a
// draft.
void settle(Job& job, core::Time now) {
    if (job.status == "DRAFT") job.published_at.reset();
    if (job.status == "PUBLISHED" && !job.published_at) job.published_at = now;
}

// A feed does not say who has seen and closed what.
void keep(Job& job, const Job& before) {
    job.status = before.status;
    job.published_at = before.published_at;
}

void withdraw(Job& job) {
    job.status = "ARCHIVED";
}

// With its open ends filled in.
std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>> salary_range(const Job& job) {
    if (!job.salary_min && !job.salary_max) return {};
    return {job.salary_min.value_or(0), job.salary_max.value_or(open_salary)};
}

constexpr writes::Derived<Job> derived[] = {
    {"category_key", [](const Job& job) { return writes::key_of(job.category); }},
    {"department_key", [](const Job& job) { return writes::key_of(job.department); }},
    {"city_key", [](const Job& job) { return writes::key_of(job.city); }},
    {"salary_low", [](const Job& job) { return salary_range(job).first; }},
    {"salary_high", [](const Job& job) { return salary_range(job).second; }},
};

std::string tokens(const Job& job, std::string_view organisation) {
    return search::index_tokens(std::array{std::string_view(job.title), core::text_of(job.summary),
                                           core::text_of(job.description), core::text_of(job.category),
                                           core::text_of(job.department), core::text_of(job.city), organisation});
}

}  // namespace

const resource::Description<Job>& Job::described() {
    static const resource::Description<Job> jobs{
        .name = "jobs",
        .table = "jobs",
        .singular = "job",
        .noun = "job",
        .a_new = "a new job",
        .things = writes::Things::jobs,
        .reads = identity::Scope::jobs_read,
        .writes = identity::Scope::jobs_write,
        .fields = job_fields,
        .derived = derived,
        .states = states,
        .fault = fault,
        .visible = {.status = "PUBLISHED", .until = &Job::expires_at},
        .is_withdrawn = "status = 'ARCHIVED'",
        .owner_index = "jobs_poll",
        .reference_index = "jobs_reference",
        .poll_index = "jobs_poll",
        .public_list = public_list,
        .member_list = member_list,
        .words = {.searched = words, .tokens = tokens, .organisation = true},
        .changed = webhooks::job_changed,
        .deleted = webhooks::job_deleted,
        .hooks = {.keep = keep, .settle = settle, .withdraw = withdraw},
    };
    return jobs;
}

}  // namespace tradepost::jobs
