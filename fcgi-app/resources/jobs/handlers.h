// Routes of /jobs.
#pragma once
#include "api/call.h"

namespace tradepost::jobs {

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
