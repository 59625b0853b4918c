#include "resources/jobs/feed.h"

#include "core/slug.h"
#include "db/sql.h"
#include "resources/feeds/get.h"
#include "resources/feeds/put.h"
#include "resources/jobs/history.h"
#include "resources/jobs/json.h"
#include "resources/jobs/rows.h"
#include "resources/jobs/writer.h"
#include "writes/slugs.h"

namespace tradepost::jobs {
namespace {

struct Feed {
    using Item = Job;
    static constexpr std::string_view table = "jobs", poll_index = "jobs_poll";
    static constexpr bool counts_are_own = false;  // the public list has one count of all

    static std::vector<Job> find(db::Connection& connection, const core::Uuid& organisation_id,
                                 std::span<const std::string> references) {
        std::vector<Job> jobs;
        if (references.empty()) return jobs;
        std::vector<db::Value> values{organisation_id};
        for (const auto& reference : references) values.emplace_back(db::Binary{reference});
        for (auto& row :
             connection.query("SELECT " + columns(true) + " FROM jobs t FORCE INDEX (jobs_reference)" + joins +
                                  " WHERE t.organisation_id = ? AND t.reference IN (" + db::placeholders(references.size()) + ")",
                              values))
            jobs.push_back(read(row, true));
        return jobs;
    }

    // Of those with a reference: others belong to no feed.
    static std::vector<std::pair<core::Uuid, std::string>> not_archived(db::Connection& connection,
                                                                        const core::Uuid& organisation_id,
                                                                        const std::string& after, int limit) {
        std::vector<std::pair<core::Uuid, std::string>> found;
        for (const auto& row :
             connection.query("SELECT id, reference FROM jobs FORCE INDEX (jobs_reference) WHERE organisation_id = ? AND "
                              "reference > ? AND status <> 'ARCHIVED' ORDER BY reference LIMIT ?",
                              {organisation_id, db::Binary{after}, limit}))
            found.emplace_back(row.uuid(0), row.text(1));
        return found;
    }

    static std::string lines(db::Connection& connection, const core::Uuid& organisation_id, std::string& after, int limit) {
        std::string text;
        for (auto& row : connection.query("SELECT " + columns(true) + " FROM jobs t FORCE INDEX (jobs_reference)" + joins +
                                              " WHERE t.organisation_id = ? AND t.reference > ? ORDER BY t.reference LIMIT ?",
                                          {organisation_id, db::Binary{after}, limit})) {
            const auto job = read(row, true);
            text.append(render(job)).append("\n");
            after = reference(job);
        }
        return text;
    }

    static const std::string& reference(const Job& job) { return core::present(job.reference); }

    static Job put(const json::Json& body, const Job* before, const core::Uuid& organisation_id) {
        Job fresh;
        fresh.organisation.id = organisation_id;
        auto job = read_put(body, fresh, before);
        if (before) check_put(job, *before);
        return job;
    }

    static bool same(const Job& a, const Job& b) { return fields::same_fields(job_fields(), a, b); }
    static void check(db::Connection&, const Job&, const Job*) {}

    static void archive(Job& job) { job.status = "ARCHIVED"; }

    class Writer {
    public:
        Writer(writes::WriteTransaction& transaction, const writes::OwnOrganisation& owner)
            : connection_(transaction.connection()), writer_(transaction), slugs_(connection_, "jobs"), owner_(owner) {
            writer_.know(owner.summary, owner.published);
        }

        std::vector<Job> find(std::span<const core::Uuid> ids) { return owned(writer_.find(ids, {})); }
        std::vector<Job> find(const core::Uuid& organisation_id, std::span<const std::string> references) {
            return owned(writer_.find_by_reference(organisation_id, references));
        }
        void settle(Job& job, const Job* before) {
            job.organisation = owner_.summary;
            settle_publication(job, job.updated_at);
            if (!before) job.slug = slugs_.make(core::slugify(job.title, "job"));
        }
        // find() has noted the rows.
        void write(std::span<const Job> jobs, std::span<const Job> rows, core::Time) {
            writer_.write(jobs);
            announce(connection_, jobs);
            record_history(connection_, jobs, rows);
        }

    private:
        std::vector<Job> owned(std::vector<Job> jobs) const {
            for (auto& job : jobs) job.organisation = owner_.summary;
            return jobs;
        }

        db::Connection& connection_;
        JobWriter writer_;
        writes::SlugMaker slugs_;
        const writes::OwnOrganisation& owner_;
    };
};

}  // namespace

http::Response get_jobs_feed(api::Call& call) {
    return feeds::get<Feed>(call);
}

http::Response put_jobs_feed(api::Call& call) {
    return feeds::put<Feed>(call);
}

}  // namespace tradepost::jobs
