#include "resources/jobs/expiry.h"

#include "resource/store.h"
#include "resources/jobs/job.h"

namespace tradepost::jobs {
namespace {

// Another host's clock may be behind ours: there they are still shown.
constexpr core::seconds clocks_differ{5};

}  // namespace

std::size_t unlist_expired_jobs(db::Connection& connection, core::Time now, int limit) {
    return writes::write(connection, [&](writes::WriteTransaction& transaction) {
        const auto rows = connection.query(
            "SELECT id, organisation_id, " + resource::Store<Job>::counted().columns() +
                " FROM jobs FORCE INDEX (jobs_expiry) WHERE listed = 1 AND expires_at <= ? LIMIT ? FOR UPDATE SKIP LOCKED",
            {now - clocks_differ, limit});
        resource::Store<Job>(transaction).flip_listed(rows);
        return rows.size();
    });
}

std::size_t unlist_expired_jobs(db::Connection& connection, core::Time now) {
    constexpr int batch = 500;
    std::size_t all = 0;
    while (const auto some = unlist_expired_jobs(connection, now, batch)) all += some;
    return all;
}

}  // namespace tradepost::jobs
