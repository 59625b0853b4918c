#include "resources/jobs/writer.h"

#include <map>

#include "core/text.h"
#include "identity/organisation_columns.h"
#include "identity/organisation_json.h"
#include "resources/jobs/rows.h"
#include "webhooks/announce.h"
#include "webhooks/webhook.h"
#include "writes/deletions.h"

namespace tradepost::jobs {
namespace {

// With its open ends filled in.
std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>> salary_range(const Job& job) {
    if (!job.salary_min && !job.salary_max) return {};
    return {job.salary_min.value_or(0), job.salary_max.value_or(open_salary)};
}

}  // namespace

std::vector<std::string_view> JobTable::searched(const Resource& job) {
    return {job.title,
            core::text_of(job.summary),
            core::text_of(job.description),
            core::text_of(job.category),
            core::text_of(job.department),
            core::text_of(job.city)};
}

std::span<const writes::Derived<Job>> JobTable::derived() {
    static constexpr writes::Derived<Job> columns[] = {
        {"category_key", [](const Job& job) { return writes::key_of(job.category); }},
        {"department_key", [](const Job& job) { return writes::key_of(job.department); }},
        {"city_key", [](const Job& job) { return writes::key_of(job.city); }},
        {"salary_low", [](const Job& job) { return salary_range(job).first; }},
        {"salary_high", [](const Job& job) { return salary_range(job).second; }},
    };
    return columns;
}

void announce(db::Connection& connection, std::span<const Job> jobs) {
    std::map<core::Uuid, identity::OrganisationSummary> known;
    const auto data = [&](Job job) {
        auto& organisation = known[job.organisation.id];
        if (organisation.slug.empty()) organisation = job.organisation;
        if (organisation.slug.empty())
            organisation = identity::read_organisation(
                connection
                    .query(std::string("SELECT ") + identity::organisation_columns + " FROM organisations o WHERE o.id = ?",
                           {job.organisation.id})
                    .at(0),
                0);
        job.organisation = organisation;
        return render(job);
    };
    std::vector<webhooks::Happening> happenings;
    for (const auto& job : jobs)
        happenings.push_back({job.organisation.id, job.updated_at, webhooks::job_changed, [&] { return data(job); }});
    webhooks::announce(connection, webhooks::job_changed, happenings);
}

void write_job(writes::WriteTransaction& transaction, const writes::OwnOrganisation& owner, const Job& job) {
    JobWriter writer(transaction);
    writer.know(owner.summary, owner.published);
    writer.write(std::span(&job, 1));
    announce(transaction.connection(), std::span(&job, 1));
}

void remove_job(writes::WriteTransaction& transaction, const Job& job, core::Time now) {
    JobWriter(transaction).remove(job.id);
    writes::record_deletion(transaction, {JobTable::name, job.id, job.organisation.id, job.reference, now});
    webhooks::announce(transaction.connection(), webhooks::job_changed,
                       webhooks::deletion(webhooks::job_deleted, job.id, job.organisation.id, job.reference, now));
}

}  // namespace tradepost::jobs

template class tradepost::writes::ContentWriter<tradepost::jobs::JobTable>;
