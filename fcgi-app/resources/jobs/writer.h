// Writing jobs.
#pragma once
#include "resources/jobs/job.h"
#include "resources/jobs/list.h"
#include "writes/content_writer.h"
#include "writes/ownership.h"

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
    static constexpr bool searched_by_name = true, has_references = true;
};

using JobWriter = writes::ContentWriter<JobTable>;

// Tells webhooks of jobs that were written; of their organisations the id is enough.
void announce(db::Connection& connection, std::span<const Job> jobs);

// One job of the organisation, which the transaction holds locked.
void write_job(writes::WriteTransaction& transaction, const writes::OwnOrganisation& owner, const Job& job);

// The same for one that is deleted; `now` is later than all polls of the organisation.
void remove_job(writes::WriteTransaction& transaction, const Job& job, core::Time now);

}  // namespace tradepost::jobs

// Compiled once, in writer.cpp.
extern template class tradepost::writes::ContentWriter<tradepost::jobs::JobTable>;
