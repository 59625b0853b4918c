#include "repo/jobs.h"

#include <algorithm>

#include "repo/listing.h"

namespace tradepost::repo {
namespace {

const std::string columns = std::string("t.id, t.slug, ") + organisation_columns +
                            ", t.title, t.summary, t.category, t.department, t.contract_type, t.working_hours, t.workplace, t.city, t.postal_code, "
                            "t.country, t.salary_min, t.salary_max, t.salary_currency, t.salary_period, t.apply_url, t.apply_email, t.status, "
                            "t.published_at, t.expires_at, t.created_at, t.updated_at";
const std::string from = " FROM jobs t JOIN organisations o ON o.id = t.organisation_id";
constexpr const char* order = "t.published_at DESC, t.id DESC";

domain::Job read(const db::Row& row) {
    domain::Job job;
    std::size_t at = 0;
    job.id = row.uuid(at++);
    job.slug = row.text(at++);
    job.organisation = read_organisation(row, at);
    at += 4;
    job.title = row.text(at++);
    for (auto* text : {&job.summary, &job.category, &job.department, &job.contract_type, &job.working_hours, &job.workplace, &job.city,
                       &job.postal_code, &job.country})
        *text = row.opt_text(at++);
    job.salary_min = row.opt_integer(at++);
    job.salary_max = row.opt_integer(at++);
    for (auto* text : {&job.salary_currency, &job.salary_period, &job.apply_url, &job.apply_email}) *text = row.opt_text(at++);
    job.status = row.text(at++);
    job.published_at = row.opt_time(at++);
    job.expires_at = row.opt_time(at++);
    job.created_at = row.time(at++);
    job.updated_at = row.time(at++);
    return job;
}

std::vector<domain::Job> read_all(const db::Rows& rows) {
    std::vector<domain::Job> jobs;
    jobs.reserve(rows.size());
    for (const auto& row : rows) jobs.push_back(read(row));
    return jobs;
}

Conditions conditions(const JobFilter& filter, core::Time now) {
    Conditions where;
    if (filter.every_state) {
        where.add_texts("t.status", filter.statuses);
    } else {
        where.add("t.listed = 1");
        where.add("(t.expires_at IS NULL OR t.expires_at > ?)", {now});
    }
    if (filter.organisation_id) where.add("t.organisation_id = ?", {*filter.organisation_id});
    where.add_folded("t.city_key", filter.cities);
    where.add_folded("t.category_key", filter.categories);
    where.add_folded("t.department_key", filter.departments);
    where.add_texts("t.contract_type", filter.contract_types);
    // salary_low and salary_high are NULL for a job without a salary, which no comparison lets through.
    if (filter.salary_min) where.add("t.salary_high >= ?", {std::min(*filter.salary_min, open_salary)});
    if (filter.salary_max) where.add("t.salary_low <= ?", {*filter.salary_max});
    return where;
}

// Left to itself the optimizer walks from the newest row whatever the filter, which takes seconds on a large table.
std::string index(const JobFilter& filter) {
    if (filter.organisation_id) return " FORCE INDEX (jobs_organisation)";
    if (!filter.cities.empty()) return " FORCE INDEX (jobs_city)";
    if (!filter.categories.empty()) return " FORCE INDEX (jobs_category)";
    if (!filter.departments.empty()) return " FORCE INDEX (jobs_department)";
    if (!filter.contract_types.empty()) return " FORCE INDEX (jobs_contract_type)";
    if (filter.salary_min || filter.salary_max) return " FORCE INDEX (jobs_salary)";
    return " FORCE INDEX (jobs_listed)";
}

}  // namespace

std::optional<core::Time> Jobs::next_expiry(core::Time now) {
    return connection_.query("SELECT MIN(expires_at) FROM jobs FORCE INDEX (jobs_expiry) WHERE listed = 1 AND expires_at > ?", {now})
        .at(0)
        .opt_time(0);
}

Count Jobs::count(const JobFilter& filter, core::Time now) {
    const auto where = conditions(filter, now);
    const auto total = connection_.query("SELECT COUNT(*) FROM jobs t" + index(filter) + " WHERE " + where.sql(), where.values());
    return {total.at(0).integer(0), next_expiry(now)};
}

std::vector<domain::Job> Jobs::page(const JobFilter& filter, const Count&, Slice slice, core::Time now) {
    // The page's ids come from the index alone; only they are looked up.
    const auto where = conditions(filter, now);
    return read_all(connection_.query("SELECT STRAIGHT_JOIN " + columns + " FROM (SELECT t.id FROM jobs t" + index(filter) + " WHERE " + where.sql() +
                                          " ORDER BY " + order + " LIMIT ? OFFSET ?) k JOIN jobs t ON t.id = k.id"
                                          " JOIN organisations o ON o.id = t.organisation_id ORDER BY " + order,
                                      where.values({slice.limit, slice.offset})));
}

std::pair<std::vector<domain::Job>, Count> Jobs::search(const JobFilter& filter, Slice slice, core::Time now) {
    const auto matches = search_.find({"jobs", "job_search", "job_id", order}, *filter.search, conditions(filter, now), slice);
    std::vector<domain::Job> jobs;
    if (!matches.ids.empty()) {
        const std::vector<db::Value> ids(matches.ids.begin(), matches.ids.end());
        jobs = in_order(read_all(connection_.query("SELECT " + columns + from + " WHERE t.id IN (" + placeholders(ids.size()) + ")", ids)), matches.ids);
    }
    return {std::move(jobs), {matches.total, next_expiry(now)}};
}

std::optional<Jobs::Found> Jobs::find(std::string_view id_or_slug, core::Time now) {
    const Identity identity(id_or_slug);
    if (!identity.possible()) return {};
    const auto rows = connection_.query("SELECT " + columns + ", t.description, t.listed" + from + " WHERE " + identity.condition(), {identity.value()});
    if (rows.empty()) return {};
    const auto& row = rows[0];
    Found found{read(row), false};
    found.job.description = row.opt_text(row.columns() - 2);
    found.visible = row.boolean(row.columns() - 1) && (!found.job.expires_at || *found.job.expires_at > now);
    return found;
}

}  // namespace tradepost::repo
