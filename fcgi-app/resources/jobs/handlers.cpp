#include "resources/jobs/handlers.h"

#include "api/write.h"
#include "http/error.h"
#include "lists/lists.h"
#include "resources/jobs/json.h"
#include "resources/jobs/list.h"
#include "resources/jobs/rows.h"
#include "resources/jobs/writer.h"
#include "writes/slugs.h"

namespace tradepost::jobs {
namespace {

// Throws 409 when another job has the reference. One that is written at the same moment lets the transaction begin again.
void check_reference(writes::WriteTransaction& transaction, const Job& job) {
    if (job.reference && JobWriter(transaction).reference_exists(job.organisation.id, *job.reference))
        throw http::conflict("reference is used by another job");
}

Job new_job(api::Call& call, const writes::OwnOrganisation& owner) {
    Job job;
    job.created_at = job.updated_at = api::next_update(call, owner);
    job.id = core::Uuid::v7(job.created_at);
    job.organisation = owner.summary;
    return job;
}

// The answer to a change; nothing is written when nothing differs.
http::Response store(api::Call& call, writes::WriteTransaction& transaction, const writes::OwnOrganisation& owner, Job& job,
                     const Job& before) {
    if (fields::same_fields(job_fields(), job, before)) return api::current(render(before));
    job.updated_at = api::next_update(call, owner, before.updated_at);
    settle_publication(job, job.updated_at);
    write_job(transaction, owner, job);
    return api::current(render(job));
}

// The answer to a DELETE of the job that was found and is locked, if any.
http::Response remove(api::Call& call, writes::WriteTransaction& transaction, const writes::OwnOrganisation& owner,
                      std::vector<Job> found) {
    if (found.empty()) throw http::not_found();
    found[0].organisation = owner.summary;
    api::check_if_match(call, render(found[0]));
    remove_job(transaction, found[0], api::next_update(call, owner, found[0].updated_at));
    return api::deleted(found[0].id);
}

bool is_member(const api::Call& call, const core::Uuid& organisation_id) {
    return call.principal && call.principal->roles.contains(organisation_id);
}

}  // namespace

bool is_own_read(const api::Call& call) {
    if (!call.principal || call.principal->roles.empty()) return false;
    const auto organisation_id = call.parameters.empty() ? lists::read_id(call.query, "organisationId")
                                                         : organisation_of(call.services.reads, call.parameters[0]);
    return organisation_id && is_member(call, *organisation_id);
}

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
        auto job = new_job(call, owner);
        read_job(call.body(), job, fields::Reading::create);
        if (!job_may_begin(job.status)) throw http::invalid_field("status", "must be DRAFT or PUBLISHED in a new job");
        check_reference(transaction, job);
        settle_publication(job, job.updated_at);
        job.slug = writes::new_slug(transaction, "jobs", job.title, "job");
        write_job(transaction, owner, job);
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
        read_job(body, job, fields::Reading::change);
        if (!job_may_move(before.status, job.status)) throw http::illegal_move(before.status, job.status);
        if (job.reference != before.reference) check_reference(transaction, job);
        api::check_if_match(call, render(before));
        return store(call, transaction, owner, job, before);
    });
}

http::Response delete_job(api::Call& call) {
    const auto id = api::path_id(call);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = api::owner_of(call, transaction, "jobs", id, true);
        return remove(call, transaction, owner, JobWriter(transaction).find(std::span(&id, 1), {}));
    });
}

http::Response put_job(api::Call& call) {
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = api::own_organisation(call, transaction);
        const auto& body = api::body_with_reference(call);
        const auto found = JobWriter(transaction).find_by_reference(owner.summary.id, call.parameters);
        auto before = found.empty() ? std::nullopt : std::optional(found[0]);
        if (before) before->organisation = owner.summary;
        auto job = read_put(body, new_job(call, owner), before ? &*before : nullptr);
        if (!before) {
            if (call.request.header("if-match")) throw http::precondition_failed();
            settle_publication(job, job.updated_at);
            job.slug = writes::new_slug(transaction, "jobs", job.title, "job");
            write_job(transaction, owner, job);
            return api::created("/api/v1/jobs/" + job.id.to_string(), render(job));
        }
        check_put(job, *before);
        api::check_if_match(call, render(*before));
        return store(call, transaction, owner, job, *before);
    });
}

http::Response get_job_by_reference(api::Call& call) {
    const auto job = find_by_reference(call.services.reads, api::queried_organisation(call), call.parameters[0]);
    if (!job) throw http::not_found();
    return http::data(render(*job));
}

http::Response delete_job_by_reference(api::Call& call) {
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = api::queried_organisation(call, transaction, true);
        return remove(call, transaction, owner, JobWriter(transaction).find_by_reference(owner.summary.id, call.parameters));
    });
}

}  // namespace tradepost::jobs
