#include "api/jobs.h"

#include "api/list.h"
#include "api/write.h"
#include "http/error.h"
#include "json/fields.h"

namespace tradepost::api {
namespace {

void write(json::Writer& writer, const domain::Job& job, bool detailed) {
    writer.begin_object().member("id", job.id).member("slug", job.slug).name("organisation");
    write_organisation(writer, job.organisation);
    json::write_fields(writer, domain::job_fields(), job, detailed);
    writer.end_object();
}

std::string render(const domain::Job& job) {
    json::Writer writer;
    write(writer, job, true);
    return writer.take();
}

// The body's fields over `job`. Throws 400 for the first that is wrong, or missing in what readers see.
void read(const json::Json& body, domain::Job& job, json::Reading reading) {
    json::refuse_unknown(body, domain::job_fields(), {"id", "slug", "organisation", "organisationId"});
    json::read_fields(body, domain::job_fields(), job, reading);
    if (const auto fault = domain::fault(job)) throw http::invalid_field(std::string(fault->field), fault->why);
}

void store(Call& call, const repo::OwnOrganisation& owner, const domain::Job& job) {
    auto writer = call.services.changes.jobs();
    writer.know_published(owner.summary.id, owner.published);
    writer.write(std::span(&job, 1));
    writer.finish();
}

// A bound of the salary filter: whole units, given once.
std::optional<std::int64_t> salary(const http::Query& query, std::string_view name) {
    return query.filter(name) ? query.integer(name, 0, INT64_MAX) : std::nullopt;
}

bool is_member(const Call& call, const core::Uuid& organisation_id) {
    return call.principal && call.principal->roles.contains(organisation_id);
}

}  // namespace

http::Response list_jobs(Call& call) {
    repo::JobFilter filter;
    filter.search = read_search(call.query);
    filter.categories = texts(call.query, "category");
    filter.departments = texts(call.query, "department");
    filter.cities = texts(call.query, "city");
    filter.contract_types = codes(call.query, "contractType");
    filter.organisation_id = read_id(call.query, "organisationId");
    filter.salary_min = salary(call.query, "salaryMin");
    filter.salary_max = salary(call.query, "salaryMax");
    if (filter.salary_min && filter.salary_max && *filter.salary_min > *filter.salary_max) throw http::invalid_query("salaryMin over salaryMax");
    http::read_page(call.query);

    filter.every_state = filter.organisation_id && is_member(call, *filter.organisation_id);
    if (filter.every_state) filter.statuses = codes(call.query, "status");

    const ListKey key("jobs", call.query,
                      {"q", "category", "department", "contractType", "city", "organisationId", "salaryMin", "salaryMax", "status"}, filter.every_state);
    auto response = list(call, key, call.services.jobs, filter, [](json::Writer& writer, const domain::Job& job) { write(writer, job, false); });
    if (filter.every_state) response.set("Cache-Control", "private, no-cache");
    if (auto& jobs = call.services.jobs; jobs.unlisting_is_due()) response.after = [&jobs, now = call.services.clock.now()] { jobs.unlist_expired(now); };
    return response;
}

http::Response get_job(Call& call) {
    std::optional<repo::Jobs::Found> found;
    auto response = detail_by_version(call, "jobs", [&]() -> std::optional<Detail> {
        found = call.services.jobs.find(call.parameters[0], call.services.clock.now());
        if (!found || !found->visible) return {};
        return Detail{render(found->job), found->job.expires_at};
    });
    if (response) return *response;
    if (!found || !is_member(call, found->job.organisation.id)) throw http::not_found();
    auto for_member = http::data(render(found->job));
    for_member.set("Cache-Control", "private, no-cache");
    return for_member;
}

http::Response create_job(Call& call) {
    return create(call, [&] {
        const auto owner = own_organisation(call);
        const auto now = call.services.clock.now();
        domain::Job job;
        job.id = core::Uuid::v7(now);
        job.organisation = owner.summary;
        job.created_at = job.updated_at = now;
        read(call.body(), job, json::Reading::create);
        if (!domain::job_may_begin(job.status)) throw http::invalid_field("status", "must be DRAFT or PUBLISHED in a new job");
        domain::settle_publication(job, now);
        job.slug = call.services.changes.slug("jobs", job.title, "job");
        store(call, owner, job);
        return created("/api/v1/jobs/" + job.id.to_string(), render(job));
    });
}

http::Response change_job(Call& call) {
    const auto id = path_id(call);
    const auto& body = call.body();
    return change(call, [&] {
        const auto owner = owner_of(call, repo::Owned::jobs, id);
        const auto found = call.services.changes.jobs().find(std::span(&id, 1), {});
        if (found.empty()) throw http::not_found();
        auto before = found[0];
        before.organisation = owner.summary;

        auto job = before;
        read(body, job, json::Reading::change);
        if (!domain::job_may_move(before.status, job.status)) throw http::illegal_move(before.status, job.status);
        check_if_match(call, render(before));
        if (domain::same_fields(domain::job_fields(), job, before)) return current(render(before));
        job.updated_at = next_update(call, before.updated_at);
        domain::settle_publication(job, job.updated_at);
        store(call, owner, job);
        return current(render(job));
    });
}

http::Response delete_job(Call& call) {
    const auto id = path_id(call);
    return change(call, [&] {
        const auto owner = owner_of(call, repo::Owned::jobs, id, true);
        auto writer = call.services.changes.jobs();
        auto found = writer.find(std::span(&id, 1), {});
        if (found.empty()) throw http::not_found();
        found[0].organisation = owner.summary;
        check_if_match(call, render(found[0]));
        writer.remove(id);
        writer.finish();
        return deleted(id);
    });
}

}  // namespace tradepost::api
