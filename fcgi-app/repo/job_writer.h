// Writing jobs.
#pragma once
#include "domain/job.h"
#include "repo/content_writer.h"
#include "repo/job_counts.h"

namespace tradepost::repo {

struct JobTable {
    using Resource = domain::Job;
    using Counted = CountedJob;
    static Counted counted(const Resource& job, bool listed);
    static constexpr std::string_view name = "jobs", search = "job_search", search_id = "job_id";
    static constexpr std::string_view derived = "category_key, department_key, city_key, salary_low, salary_high, ";
    static std::span<const domain::Field<Resource>> fields() { return domain::job_fields(); }
    static bool is_public(const Resource& job) { return job.status == "PUBLISHED"; }  // apart from its organisation and the time
    static std::vector<std::string_view> searched(const Resource& job);
    static void append_derived(std::string& sql, const Resource& job);
};

using JobWriter = ContentWriter<JobTable>;

}  // namespace tradepost::repo
