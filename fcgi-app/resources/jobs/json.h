// Jobs from JSON, for routes that write and for feeds.
#pragma once
#include "fields/json.h"
#include "resources/jobs/job.h"

namespace tradepost::jobs {

// The body's fields over `job`. Throws 400 for the first that is wrong, unknown, or missing in what readers see.
void read_job(const json::Json& body, Job& job, fields::Reading reading);

// What a PUT by reference, or a line of a feed, makes of a job: `body`, which names the reference, in place of `before`, the one that has
// it. Without such a job `before` is null, and `fresh` is the new one with its id, organisation and times. `status` stays when the body
// leaves it out. Throws 400 as read_job(), and for a state in which no job begins; see check_put().
Job read_put(const json::Json& body, const Job& fresh, const Job* before);

// Throws 409 when the state of what read_put() returned may not follow that of `before`.
void check_put(const Job& job, const Job& before);

}  // namespace tradepost::jobs
