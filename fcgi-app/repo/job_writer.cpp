#include "repo/job_writer.h"

#include "repo/jobs.h"

namespace tradepost::repo {

std::vector<std::string_view> JobTable::searched(const Resource& job) {
    static const std::string none;
    return {job.title, job.summary ? *job.summary : none, job.description ? *job.description : none};
}

void JobTable::append_derived(std::string& sql, const Resource& job) {
    sql += key_literal(job.category) + ", " + key_literal(job.department) + ", " + key_literal(job.city) + ", ";
    if (job.salary_min || job.salary_max)
        sql += std::to_string(job.salary_min.value_or(0)) + ", " + std::to_string(job.salary_max.value_or(open_salary)) + ", ";
    else
        sql += "NULL, NULL, ";
}

}  // namespace tradepost::repo
