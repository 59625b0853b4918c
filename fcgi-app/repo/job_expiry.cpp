#include "repo/job_expiry.h"

#include "repo/job_counts.h"
#include "repo/listing.h"

namespace tradepost::repo {
namespace {

// Another host's clock may be behind ours: there they are still shown.
constexpr core::seconds clocks_differ{5};

}  // namespace

std::size_t unlist_expired_jobs(db::Connection& connection, core::Time now, int limit) {
    return db::in_transaction(connection, [&] {
        const auto rows = connection.query(
            "SELECT id, " + std::string(CountedJob::columns) +
                " FROM jobs FORCE INDEX (jobs_expiry) WHERE listed = 1 AND expires_at <= ? LIMIT ? FOR UPDATE SKIP LOCKED",
            {now - clocks_differ, limit});
        if (rows.empty()) return rows.size();
        CountChanges changes("jobs");
        std::vector<db::Value> ids;
        for (const auto& row : rows) {
            auto job = CountedJob::read(row, 1);
            count(changes, job, -1);
            job.listed = false;
            count(changes, job, +1);
            ids.emplace_back(row.uuid(0));
        }
        connection.execute("UPDATE jobs FORCE INDEX (PRIMARY) SET listed = 0 WHERE id IN (" + placeholders(ids.size()) + ")",
                           ids);
        changes.write(connection);
        return rows.size();
    });
}

std::size_t unlist_expired_jobs(db::Connection& connection, core::Time now) {
    constexpr int batch = 500;
    std::size_t all = 0;
    while (const auto some = unlist_expired_jobs(connection, now, batch)) all += some;
    return all;
}

}  // namespace tradepost::repo
