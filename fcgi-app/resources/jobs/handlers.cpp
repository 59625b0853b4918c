#include "resources/jobs/handlers.h"

#include "api/write.h"
#include "fields/json.h"
#include "http/error.h"
#include "lists/lists.h"
#include "resources/jobs/list.h"
#include "resources/jobs/rows.h"
#include "resources/jobs/writer.h"
#include "writes/slugs.h"

namespace tradepost::jobs {
namespace {

std::string render(const Job& job) {
    json::Writer writer;
    write(writer, job, true);
    return writer.take();
}

// The body's fields over `job`. Throws 400 for the first that is wrong, or missing in what readers see.
void read(const json::Json& body, Job& job, fields::Reading reading) {
    fields::refuse_unknown(body, job_fields(), {"id", "slug", "organisation", "organisationId"});
    fields::read_fields(body, job_fields(), job, reading);
    if (const auto found = fault(job)) throw http::invalid_field(std::string(found->field), found->why);
}

void store(writes::WriteTransaction& transaction, const writes::OwnOrganisation& owner, const Job& job) {
    JobWriter writer(transaction);
    writer.know(owner.summary, owner.published);
    writer.write(std::span(&job, 1));
}

bool is_member(const api::Call& call, const core::Uuid& organisation_id) {
    return call.principal && call.principal->roles.contains(organisation_id);
}

}  // namespace

http::Response list_jobs(api::Call& call) {
    auto& lists = call.services.lists;
    const auto organisation_id = lists::read_id(call.query, "organisationId");
    if (organisation_id && is_member(call, *organisation_id))
        return lists.answer(member_list(), call.request, call.query, [&] { return std::vector{*organisation_id}; });
    return lists.answer(public_list(), call.request, call.query);
}

http::Response get_job_facets(api::Call& call) {
    auto& lists = call.services.lists;
    const auto organisation_id = lists::read_id(call.query, "organisationId");
    if (organisation_id && is_member(call, *organisation_id))
        return lists.facets(member_list(), call.request, call.query, [&] { return std::vector{*organisation_id}; });
    return lists.facets(public_list(), call.request, call.query);
}

http::Response get_job(api::Call& call) {
    std::optional<Found> found;
    auto response = call.services.lists.detail("jobs", call.parameters[0], [&]() -> std::optional<lists::Detail> {
        found = find(call.services.reads, call.parameters[0], call.services.clock.now());
        if (!found || !found->visible) return {};
        return lists::Detail{render(found->job), found->job.expires_at};
    });
    if (response) return *response;
    if (!found || !is_member(call, found->job.organisation.id)) throw http::not_found();
    auto for_member = http::data(render(found->job));
    for_member.set("Cache-Control", "private, no-cache");
    return for_member;
}

http::Response create_job(api::Call& call) {
    return api::create(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = api::own_organisation(call, transaction);
        const auto now = api::next_update(call, owner);
        Job job;
        job.id = core::Uuid::v7(now);
        job.organisation = owner.summary;
        job.created_at = job.updated_at = now;
        read(call.body(), job, fields::Reading::create);
        if (!job_may_begin(job.status)) throw http::invalid_field("status", "must be DRAFT or PUBLISHED in a new job");
        settle_publication(job, now);
        job.slug = writes::new_slug(transaction, "jobs", job.title, "job");
        store(transaction, owner, job);
        return api::created("/api/v1/jobs/" + job.id.to_string(), render(job));
    });
}

http::Response change_job(api::Call& call) {
    const auto id = api::path_id(call);
    const auto& body = call.body();
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = api::owner_of(call, transaction, "jobs", id);
        const auto found = JobWriter(transaction).find(std::span(&id, 1), {});
        if (found.empty()) throw http::not_found();
        auto before = found[0];
        before.organisation = owner.summary;

        auto job = before;
        read(body, job, fields::Reading::change);
        if (!job_may_move(before.status, job.status)) throw http::illegal_move(before.status, job.status);
        api::check_if_match(call, render(before));
        if (fields::same_fields(job_fields(), job, before)) return api::current(render(before));
        job.updated_at = api::next_update(call, owner, before.updated_at);
        settle_publication(job, job.updated_at);
        store(transaction, owner, job);
        return api::current(render(job));
    });
}

http::Response delete_job(api::Call& call) {
    const auto id = api::path_id(call);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = api::owner_of(call, transaction, "jobs", id, true);
        JobWriter writer(transaction);
        auto found = writer.find(std::span(&id, 1), {});
        if (found.empty()) throw http::not_found();
        found[0].organisation = owner.summary;
        api::check_if_match(call, render(found[0]));
        writer.remove(id);
        return api::deleted(id);
    });
}

}  // namespace tradepost::jobs
