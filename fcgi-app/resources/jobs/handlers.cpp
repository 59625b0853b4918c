#include "resources/jobs/handlers.h"

#include "api/content.h"
#include "resources/jobs/history.h"
#include "resources/jobs/json.h"
#include "resources/jobs/list.h"
#include "resources/jobs/rows.h"
#include "resources/jobs/writer.h"

namespace tradepost::jobs {
namespace {

// Throws 409 when another job has the reference. One that is written at the same moment lets the transaction begin again.
void check_reference(writes::WriteTransaction& transaction, const Job& job) {
    if (job.reference && JobWriter(transaction).reference_exists(job.organisation.id, *job.reference))
        throw http::conflict("reference is used by another job");
}

struct Kind {
    using Table = JobTable;
    using Found = jobs::Found;
    static constexpr auto public_list = jobs::public_list, member_list = jobs::member_list;
    static constexpr auto find = jobs::find;
    static constexpr auto json = render;
    static constexpr auto read = read_job;
    static constexpr auto settle = settle_publication;
    static constexpr auto write = write_job;
    static constexpr auto remove = remove_job;
    static void record(writes::WriteTransaction& transaction, const Job& job, const Job* before) {
        record_history(transaction.connection(), std::span(&job, 1), std::span(before, before ? 1 : 0));
    }

    static std::optional<core::Time> shown_until(const Job& job) { return job.expires_at; }
    static void check_new(writes::WriteTransaction& transaction, const Job& job) {
        if (!job_may_begin(job.status)) throw http::invalid_field("status", "must be DRAFT or PUBLISHED in a new job");
        check_reference(transaction, job);
    }
    static void check_change(writes::WriteTransaction& transaction, const Job& job, const Job& before) {
        if (!job_may_move(before.status, job.status)) throw http::illegal_move(before.status, job.status);
        if (job.reference != before.reference) check_reference(transaction, job);
    }
};

}  // namespace

http::Response list_jobs(api::Call& call) {
    return api::list_content<Kind>(call);
}

http::Response get_job_facets(api::Call& call) {
    return api::content_facets<Kind>(call);
}

http::Response get_job(api::Call& call) {
    return api::get_content<Kind>(call);
}

http::Response create_job(api::Call& call) {
    return api::create_content<Kind>(call);
}

http::Response change_job(api::Call& call) {
    return api::change_content<Kind>(call);
}

http::Response delete_job(api::Call& call) {
    return api::delete_content<Kind>(call);
}

http::Response put_job(api::Call& call) {
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = api::own_organisation(call, transaction);
        const auto& body = api::body_with_reference(call);
        const auto found = JobWriter(transaction).find_by_reference(owner.summary.id, call.parameters);
        auto before = found.empty() ? std::nullopt : std::optional(found[0]);
        if (before) before->organisation = owner.summary;
        auto job = read_put(body, api::new_content<Kind>(call, owner), before ? &*before : nullptr);
        if (!before) {
            if (call.request.header("if-match")) throw http::precondition_failed();
            return api::add_content<Kind>(transaction, owner, job);
        }
        check_put(job, *before);
        api::check_if_match(call, render(*before));
        return api::store_content<Kind>(call, transaction, owner, job, *before);
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
        return api::remove_content<Kind>(call, transaction, owner,
                                         JobWriter(transaction).find_by_reference(owner.summary.id, call.parameters));
    });
}

}  // namespace tradepost::jobs
