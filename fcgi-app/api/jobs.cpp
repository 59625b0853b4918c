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

// A bound of the salary filter: whole units, given once.
std::optional<std::int64_t> salary(const http::Query& query, std::string_view name) {
    return query.filter(name) ? query.integer(name, 0, INT64_MAX) : std::nullopt;
}

bool is_member(const Call& call, const core::Uuid& organisation_id) {
    return call.principal && call.services.memberships.role_in(call.principal->user_id, organisation_id);
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
    return response;
}

http::Response get_job(Call& call) {
    std::optional<repo::Jobs::Found> found;
    const auto render = [&] {
        json::Writer writer;
        write(writer, found->job, true);
        return writer.take();
    };
    auto response = detail_by_version(call, "jobs", [&]() -> std::optional<Detail> {
        found = call.services.jobs.find(call.parameters[0], call.services.clock.now());
        if (!found || !found->visible) return {};
        return Detail{render(), found->job.expires_at};
    });
    if (response) return *response;
    if (!found || !is_member(call, found->job.organisation.id)) throw http::not_found();
    auto for_member = http::data(render());
    for_member.set("Cache-Control", "private, no-cache");
    return for_member;
}

}  // namespace tradepost::api
