#include "repo/job_writer.h"

namespace tradepost::repo {
namespace {
// An open end of a range reaches as far as any salary does.
constexpr std::int64_t lowest = 0, highest = 1'000'000'000;
}  // namespace

std::vector<std::string_view> JobTable::searched(const Resource& job) {
    static const std::string none;
    return {job.title, job.summary ? *job.summary : none, job.description ? *job.description : none};
}

void JobTable::append_derived(std::string& sql, const Resource& job) {
    sql += key_literal(job.category) + ", " + key_literal(job.department) + ", " + key_literal(job.city) + ", ";
    if (job.salary_min || job.salary_max)
        sql += std::to_string(job.salary_min.value_or(lowest)) + ", " + std::to_string(job.salary_max.value_or(highest)) + ", ";
    else
        sql += "NULL, NULL, ";
}

}  // namespace tradepost::repo
