#include "resources/jobs/json.h"

#include "api/content.h"
#include "json/parse.h"

namespace tradepost::jobs {

void read_job(const json::Json& body, Job& job, fields::Reading reading) {
    api::read_content(body, job_fields(), job, reading, fault);
}

Job read_put(const json::Json& body, const Job& fresh, const Job* before) {
    auto job = fresh;
    if (before) {
        job.id = before->id;
        job.slug = before->slug;
        job.status = before->status;
        job.published_at = before->published_at;
        job.created_at = before->created_at;
        job.updated_at = before->updated_at;
    }
    read_job(body, job, fields::Reading::create);
    if (!job.reference) throw http::invalid_field("reference", body.contains("reference") ? "must not be null" : "is required");
    if (!before && !job_may_begin(job.status)) throw http::invalid_field("status", "must be DRAFT or PUBLISHED in a new job");
    return job;
}

void check_put(const Job& job, const Job& before) {
    if (!job_may_be_put(before.status, job.status)) throw http::illegal_move(before.status, job.status);
}

}  // namespace tradepost::jobs
