#include "resources/jobs/writer.h"

#include "core/text.h"

namespace tradepost::jobs {
namespace {

// With its open ends filled in.
std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>> salary_range(const Job& job) {
    if (!job.salary_min && !job.salary_max) return {};
    return {job.salary_min.value_or(0), job.salary_max.value_or(open_salary)};
}

}  // namespace

std::vector<std::string_view> JobTable::searched(const Resource& job) {
    return {job.title,
            core::text_of(job.summary),
            core::text_of(job.description),
            core::text_of(job.category),
            core::text_of(job.department),
            core::text_of(job.city)};
}

std::span<const writes::Derived<Job>> JobTable::derived() {
    static constexpr writes::Derived<Job> columns[] = {
        {"category_key", [](const Job& job) { return writes::key_of(job.category); }},
        {"department_key", [](const Job& job) { return writes::key_of(job.department); }},
        {"city_key", [](const Job& job) { return writes::key_of(job.city); }},
        {"salary_low", [](const Job& job) { return salary_range(job).first; }},
        {"salary_high", [](const Job& job) { return salary_range(job).second; }},
    };
    return columns;
}

}  // namespace tradepost::jobs

template class tradepost::writes::ContentWriter<tradepost::jobs::JobTable>;
