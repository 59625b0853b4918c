// Jobs: vacancies that organisations advertise.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "core/uuid.h"
#include "fields/field.h"
#include "identity/organisation.h"

namespace tradepost::jobs {

struct Job {
    core::Uuid id;
    std::string slug;
    identity::OrganisationSummary organisation;
    std::optional<std::string> reference;  // the publisher's own name for it; compared byte by byte
    std::string title;
    std::optional<std::string> summary, description, category, department;
    std::optional<std::string> contract_type, working_hours, workplace;
    std::optional<std::string> city, postal_code, country;
    std::optional<std::int64_t> salary_min, salary_max;
    std::optional<std::string> salary_currency, salary_period;
    std::optional<std::string> apply_url, apply_email;
    std::string status = "DRAFT";
    std::optional<core::Time> published_at, expires_at;
    core::Time created_at, updated_at;
};

// What jobs.salary_high holds for a range without an upper end: more than any salary, so that every bound finds it.
inline constexpr std::int64_t open_salary = 4294967295;

std::span<const fields::Field<Job>> job_fields();

// What is wrong with the job as a whole: salaryMin over salaryMax, or published without what readers need (title, description,
// category, contractType, and a city unless it is REMOTE).
std::optional<fields::Fault> fault(const Job& job);

// publishedAt goes with the status: it is set by the first publication, stays while the job is closed and opened again, and is empty in a
// draft.
void settle_publication(Job& job, core::Time now);

// DRAFT or PUBLISHED.
bool job_may_begin(std::string_view status);

// DRAFT → PUBLISHED → CLOSED or ARCHIVED; CLOSED → PUBLISHED or ARCHIVED; ARCHIVED → DRAFT; staying is no move.
bool job_may_move(std::string_view from, std::string_view to);

// The same for a PUT by reference, which also lists an archived job again: feeds say PUBLISHED, whatever was before.
bool job_may_be_put(std::string_view from, std::string_view to);

}  // namespace tradepost::jobs
