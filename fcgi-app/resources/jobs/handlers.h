// Routes of /jobs.
#pragma once
#include "api/call.h"

namespace tradepost::jobs {

// Whether a list, facets or a detail is asked by a member of the organisation whose jobs these are.
bool is_own_read(const api::Call& call);

http::Response list_jobs(api::Call& call);
http::Response get_job_facets(api::Call& call);
http::Response get_job(api::Call& call);
http::Response create_job(api::Call& call);
http::Response change_job(api::Call& call);
http::Response delete_job(api::Call& call);
http::Response put_job(api::Call& call);
http::Response get_job_by_reference(api::Call& call);
http::Response delete_job_by_reference(api::Call& call);

}  // namespace tradepost::jobs
