// Jobs: vacancies that organisations advertise. job.cpp describes them.
#pragma once
#include <optional>
#include <string>

#include "core/time.h"
#include "resource/item.h"

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
    bool listed = false;

    static const resource::Description<Job>& described();
};

// What jobs.salary_high holds for a range without an upper end: more than any salary, so that every bound finds it.
inline constexpr std::int64_t open_salary = 4294967295;

}  // namespace tradepost::jobs
