#include "repo/job_writer.h"

#include "core/text.h"

namespace tradepost::repo {
namespace {

std::string key(const std::optional<std::string>& text) {
    return text ? core::fold_key(*text) : std::string();
}

// With its open ends filled in.
std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>> salary_range(const domain::Job& job) {
    if (!job.salary_min && !job.salary_max) return {};
    return {job.salary_min.value_or(0), job.salary_max.value_or(open_salary)};
}

}  // namespace

CountedJob JobTable::counted(const Resource& job, bool listed) {
    const auto [low, high] = salary_range(job);
    return {listed,
            job.status,
            std::string(job.organisation.id.bytes()),
            key(job.category),
            key(job.department),
            job.contract_type.value_or(""),
            key(job.city),
            low,
            high,
            job.published_at};
}

std::vector<std::string_view> JobTable::searched(const Resource& job) {
    static const std::string none;
    return {job.title, job.summary ? *job.summary : none, job.description ? *job.description : none};
}

void JobTable::append_derived(std::string& sql, const Resource& job) {
    sql += key_literal(job.category) + ", " + key_literal(job.department) + ", " + key_literal(job.city) + ", ";
    const auto [low, high] = salary_range(job);
    sql += db::literal(low) + ", " + db::literal(high) + ", ";
}

}  // namespace tradepost::repo
