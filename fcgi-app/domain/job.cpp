#include "domain/job.h"

namespace tradepost::domain {
namespace {
constexpr std::string_view contract_types[] = {"PERMANENT", "FIXED_TERM", "TEMPORARY", "CONTRACT", "APPRENTICESHIP", "INTERNSHIP"};
constexpr std::string_view working_hours[] = {"FULL_TIME", "PART_TIME"};
constexpr std::string_view workplaces[] = {"ON_SITE", "HYBRID", "REMOTE"};
constexpr std::string_view salary_periods[] = {"HOUR", "DAY", "WEEK", "MONTH", "YEAR"};
constexpr std::string_view statuses[] = {"DRAFT", "PUBLISHED", "CLOSED", "ARCHIVED"};
constexpr std::int64_t max_salary = 1'000'000'000;
}  // namespace

std::span<const Field<Job>> job_fields() {
    static const Field<Job> fields[] = {
        {"title", rules::required_text(150), &Job::title},
        {"summary", rules::text(300), &Job::summary},
        {"description", rules::text(20000), &Job::description, Use::detail},
        {"category", rules::text(80), &Job::category},
        {"department", rules::text(80), &Job::department},
        {"contractType", rules::choice(contract_types), &Job::contract_type},
        {"workingHours", rules::choice(working_hours), &Job::working_hours},
        {"workplace", rules::choice(workplaces), &Job::workplace},
        {"city", rules::text(80), &Job::city},
        {"postalCode", rules::text(16), &Job::postal_code},
        {"country", rules::of(Kind::country), &Job::country},
        {"salaryMin", rules::integer(0, max_salary), &Job::salary_min},
        {"salaryMax", rules::integer(0, max_salary), &Job::salary_max},
        {"salaryCurrency", rules::of(Kind::currency), &Job::salary_currency},
        {"salaryPeriod", rules::choice(salary_periods), &Job::salary_period},
        {"applyUrl", rules::of(Kind::https_url), &Job::apply_url},
        {"applyEmail", rules::of(Kind::email), &Job::apply_email},
        {"status", rules::choice(statuses, Presence::defaulted), &Job::status},
        {"publishedAt", rules::time(), &Job::published_at, Use::read_only},
        {"expiresAt", rules::time(), &Job::expires_at},
        {"createdAt", rules::time(Presence::defaulted), &Job::created_at, Use::read_only},
        {"updatedAt", rules::time(Presence::defaulted), &Job::updated_at, Use::read_only},
    };
    return fields;
}

std::optional<Fault> fault(const Job& job) {
    if (job.salary_min && job.salary_max && *job.salary_min > *job.salary_max) return Fault{"salaryMax", "must not be below salaryMin"};
    if (job.status != "PUBLISHED") return {};
    static const std::string why = "is required to publish";
    const auto missing = [](const std::optional<std::string>& text) { return !text || text->empty(); };
    if (missing(job.description)) return Fault{"description", why};
    if (missing(job.category)) return Fault{"category", why};
    if (missing(job.contract_type)) return Fault{"contractType", why};
    if (missing(job.city) && job.workplace != "REMOTE") return Fault{"city", why + " unless workplace is REMOTE"};
    return {};
}

void settle_publication(Job& job, core::Time now) {
    if (job.status == "DRAFT") job.published_at.reset();
    if (job.status == "PUBLISHED" && !job.published_at) job.published_at = now;
}

bool job_may_begin(std::string_view status) { return status == "DRAFT" || status == "PUBLISHED"; }

bool job_may_move(std::string_view from, std::string_view to) {
    if (from == to) return true;
    if (from == "DRAFT") return to == "PUBLISHED";
    if (from == "PUBLISHED") return to == "CLOSED" || to == "ARCHIVED";
    if (from == "CLOSED") return to == "PUBLISHED" || to == "ARCHIVED";
    return from == "ARCHIVED" && to == "DRAFT";
}

}  // namespace tradepost::domain
