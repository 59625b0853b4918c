#include "resources/jobs/job.h"

namespace tradepost::jobs {
namespace {
constexpr std::string_view contract_types[] = {"PERMANENT", "FIXED_TERM",     "TEMPORARY",
                                               "CONTRACT",  "APPRENTICESHIP", "INTERNSHIP"};
constexpr std::string_view working_hours[] = {"FULL_TIME", "PART_TIME"};
constexpr std::string_view workplaces[] = {"ON_SITE", "HYBRID", "REMOTE"};
constexpr std::string_view salary_periods[] = {"HOUR", "DAY", "WEEK", "MONTH", "YEAR"};
constexpr std::string_view statuses[] = {"DRAFT", "PUBLISHED", "CLOSED", "ARCHIVED"};
constexpr std::int64_t max_salary = 1'000'000'000;
}  // namespace

std::span<const fields::Field<Job>> job_fields() {
    static const fields::Field<Job> fields[] = {
        {"reference", {fields::Kind::text, fields::Presence::optional, 1, 64, {}}, &Job::reference},
        {"title", fields::rules::required_text(150), &Job::title},
        {"summary", fields::rules::text(300), &Job::summary},
        {"description", fields::rules::text(20000), &Job::description, fields::Use::detail},
        {"category", fields::rules::text(80), &Job::category},
        {"department", fields::rules::text(80), &Job::department},
        {"contractType", fields::rules::choice(contract_types), &Job::contract_type},
        {"workingHours", fields::rules::choice(working_hours), &Job::working_hours},
        {"workplace", fields::rules::choice(workplaces), &Job::workplace},
        {"city", fields::rules::text(80), &Job::city},
        {"postalCode", fields::rules::text(16), &Job::postal_code},
        {"country", fields::rules::of(fields::Kind::country), &Job::country},
        {"salaryMin", fields::rules::integer(0, max_salary), &Job::salary_min},
        {"salaryMax", fields::rules::integer(0, max_salary), &Job::salary_max},
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
    return fields;
}

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

void settle_publication(Job& job, core::Time now) {
    if (job.status == "DRAFT") job.published_at.reset();
    if (job.status == "PUBLISHED" && !job.published_at) job.published_at = now;
}

bool job_may_begin(std::string_view status) {
    return status == "DRAFT" || status == "PUBLISHED";
}

bool job_may_move(std::string_view from, std::string_view to) {
    if (from == to) return true;
    if (from == "DRAFT") return to == "PUBLISHED";
    if (from == "PUBLISHED") return to == "CLOSED" || to == "ARCHIVED";
    if (from == "CLOSED") return to == "PUBLISHED" || to == "ARCHIVED";
    return from == "ARCHIVED" && to == "DRAFT";
}

bool job_may_be_put(std::string_view from, std::string_view to) {
    return job_may_move(from, to) || (from == "ARCHIVED" && to == "PUBLISHED");
}

}  // namespace tradepost::jobs
