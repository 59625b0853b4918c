#include "resources/jobs/rows.h"

#include "fields/json.h"
#include "fields/rows.h"
#include "identity/organisation_columns.h"
#include "identity/organisation_json.h"
#include "lists/id_or_slug.h"

namespace tradepost::jobs {

std::string columns(bool detailed) {
    return std::string("t.id, t.slug, ") + identity::organisation_columns + fields::columns(job_fields(), "t.", detailed);
}

Job read(db::Row& row, bool detailed) {
    Job job;
    job.id = row.uuid(0);
    job.slug = row.text(1);
    job.organisation = identity::read_organisation(row, 2);
    fields::read_columns(row, 2 + identity::organisation_width, job_fields(), job, detailed);
    return job;
}

void write(json::Writer& writer, const Job& job, bool detailed) {
    writer.begin_object().member("id", job.id).member("slug", job.slug).name("organisation");
    identity::write_organisation(writer, job.organisation);
    fields::write_fields(writer, job_fields(), job, detailed);
    writer.end_object();
}

std::string render(const Job& job) {
    json::Writer writer;
    write(writer, job, true);
    return writer.take();
}

std::optional<Found> find(db::Connection& connection, std::string_view id_or_slug, core::Time now) {
    const lists::IdOrSlug named(id_or_slug);
    if (!named.is_possible()) return {};
    auto rows = connection.query("SELECT " + columns(true) + ", t.listed FROM jobs t" + joins + " WHERE " + named.condition(),
                                 {named.value()});
    if (rows.empty()) return {};
    Found found{read(rows[0], true), rows[0].boolean(rows[0].columns() - 1)};
    found.visible = found.visible && (!found.item.expires_at || *found.item.expires_at > now);
    return found;
}

std::optional<Job> find_by_reference(db::Connection& connection, const core::Uuid& organisation_id,
                                     const std::string& reference) {
    auto rows = connection.query("SELECT " + columns(true) + " FROM jobs t FORCE INDEX (jobs_reference)" + joins +
                                     " WHERE t.organisation_id = ? AND t.reference = ?",
                                 {organisation_id, db::Binary{reference}});
    if (rows.empty()) return {};
    return read(rows[0], true);
}

}  // namespace tradepost::jobs
