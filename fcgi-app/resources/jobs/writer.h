// Writing jobs.
#pragma once
#include "resources/jobs/job.h"
#include "resources/jobs/list.h"
#include "writes/content_writer.h"

namespace tradepost::jobs {

struct JobTable {
    using Resource = Job;
    static constexpr std::string_view name = "jobs", search = "job_search", search_id = "job_id";
    static std::span<const fields::Field<Resource>> fields() { return job_fields(); }
    static std::span<const writes::Derived<Resource>> derived();
    static const lists::CountedTable& counted() { return counted_table(); }
    // Apart from its organisation and the time; and the same in SQL.
    static bool is_public(const Resource& job) { return job.status == "PUBLISHED"; }
    static constexpr std::string_view public_sql = "status = 'PUBLISHED'";
    static std::vector<std::string_view> searched(const Resource& job);
    static constexpr bool searched_by_name = true;
};

using JobWriter = writes::ContentWriter<JobTable>;

}  // namespace tradepost::jobs

// Compiled once, in writer.cpp.
extern template class tradepost::writes::ContentWriter<tradepost::jobs::JobTable>;
