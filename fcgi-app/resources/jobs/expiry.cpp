#include "resources/jobs/expiry.h"

#include "db/sql.h"
#include "resources/jobs/list.h"
#include "writes/transaction.h"

namespace tradepost::jobs {
namespace {

// Another host's clock may be behind ours: there they are still shown.
constexpr core::seconds clocks_differ{5};

}  // namespace

std::size_t unlist_expired_jobs(db::Connection& connection, core::Time now, int limit) {
    const auto& table = counted_table();
    return writes::write(connection, [&](writes::WriteTransaction& transaction) {
        const auto rows = connection.query(
            "SELECT id, organisation_id, " + table.columns() +
                " FROM jobs FORCE INDEX (jobs_expiry) WHERE listed = 1 AND expires_at <= ? LIMIT ? FOR UPDATE SKIP LOCKED",
            {now - clocks_differ, limit});
        if (rows.empty()) return rows.size();
        auto& changes = transaction.counts("jobs");
        std::vector<db::Value> ids;
        for (const auto& row : rows) {
            auto job = table.read(row, 2);
            table.count(changes, job, -1);
            table.set_listed(job, false);
            table.count(changes, job, +1);
            ids.emplace_back(row.uuid(0));
            transaction.record("jobs", row.uuid(0), row.uuid(1), changes::Kind::written);
        }
        connection.execute("UPDATE jobs FORCE INDEX (PRIMARY) SET listed = 0 WHERE id IN (" + db::placeholders(ids.size()) + ")",
                           ids);
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
