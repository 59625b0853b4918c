#include "repo/jobs.h"

#include <algorithm>
#include <deque>
#include <map>

#include "core/log.h"
#include "core/text.h"
#include "repo/job_counts.h"
#include "repo/job_expiry.h"
#include "repo/listing.h"

namespace tradepost::repo {
namespace {

const std::string columns =
    std::string("t.id, t.slug, ") + organisation_columns +
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
    for (auto* text : {&job.summary, &job.category, &job.department, &job.contract_type, &job.working_hours, &job.workplace,
                       &job.city, &job.postal_code, &job.country})
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

void add_filters(Conditions& where, const JobFilter& filter) {
    if (filter.organisation_id) where.add("t.organisation_id = ?", {*filter.organisation_id});
    where.add_folded("t.city_key", filter.cities);
    where.add_folded("t.category_key", filter.categories);
    where.add_folded("t.department_key", filter.departments);
    where.add_texts("t.contract_type", filter.contract_types);
    // salary_low and salary_high are NULL for a job without a salary, which no comparison lets through.
    if (filter.salary_min) where.add("t.salary_high >= ?", {std::min(*filter.salary_min, open_salary)});
    if (filter.salary_max) where.add("t.salary_low <= ?", {*filter.salary_max});
}

Conditions conditions(const JobFilter& filter, core::Time now) {
    Conditions where;
    if (filter.every_state) {
        where.add_texts("t.status", filter.statuses);
    } else {
        where.add("t.listed = 1");
        where.add("(t.expires_at IS NULL OR t.expires_at > ?)", {now});
    }
    add_filters(where, filter);
    return where;
}

// What counts as the filter's rows and is not shown any more.
Conditions expired(const JobFilter& filter, core::Time now) {
    Conditions where;
    where.add("t.listed = 1");
    where.add("t.expires_at <= ?", {now});
    add_filters(where, filter);
    return where;
}
const std::string from_expired = " FROM jobs t FORCE INDEX (jobs_expiry) WHERE ";
constexpr const char* next = "(SELECT MIN(expires_at) FROM jobs FORCE INDEX (jobs_expiry) WHERE listed = 1 AND expires_at > ?)";

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

constexpr std::int64_t longest_of_many_walks = 2000;  // rows each

// One filter for each value of what index() has in front.
std::vector<JobFilter> single_values(const JobFilter& filter) {
    constexpr std::size_t most = 16;
    std::vector<std::string> JobFilter::*texts = nullptr;
    if (filter.organisation_id) return {filter};
    for (auto each : {&JobFilter::contract_types, &JobFilter::departments, &JobFilter::categories, &JobFilter::cities})
        if (!(filter.*each).empty()) texts = each;
    if (!texts) return {filter};
    std::map<std::string, std::string> by_key;
    for (const auto& text : filter.*texts)
        by_key.emplace(texts == &JobFilter::contract_types ? text : core::fold_key(text), text);
    if (by_key.size() > most) return {filter};
    std::vector<JobFilter> filters;
    for (const auto& [key, text] : by_key) {
        filters.push_back(filter);
        filters.back().*texts = {text};
    }
    return filters;
}

}  // namespace

std::optional<core::Time> Jobs::next_expiry(core::Time now) {
    return connection_.query(std::string("SELECT ") + next, {now}).at(0).opt_time(0);
}

std::optional<Count> Jobs::kept_count(const JobFilter& filter, core::Time now) {
    std::vector<FilterKey> keys;
    const auto sum = total_of(filter, keys);
    if (!sum) return {};
    auto sql = "SELECT " + std::string(counts_are_complete()) + ", " + sum->sql;
    std::vector<db::Value> values{"jobs"};
    values.insert(values.end(), sum->values.begin(), sum->values.end());
    const auto where = expired(filter, now);  // lends its values
    if (!filter.every_state) {
        // One statement: all of it is read as of one moment.
        sql += std::string(", ") + next + ", (SELECT COUNT(*)" + from_expired + where.sql() + ")";
        values.emplace_back(now);
        for (const auto& value : where.values()) values.push_back(value);
    }
    const auto row = connection_.query(sql, values).at(0);
    if (row.is_null(0)) return {};
    if (filter.every_state) return Count{row.integer(1)};
    Count count{row.integer(1) - row.integer(3), row.opt_time(2)};
    count.expired = row.integer(3);
    unlisting_is_due_ = count.expired > few_expired_jobs;
    return count;
}

void Jobs::unlist_expired(core::Time now) noexcept {
    constexpr int some = 200;
    unlisting_is_due_ = false;
    try {
        unlist_expired_jobs(connection_, now, some);
    } catch (const std::exception& error) {
        core::log::warning("expired_jobs_not_unlisted", {{"error", error.what()}});
    }
}

Count Jobs::count(const JobFilter& filter, core::Time now) {
    if (const auto kept = kept_count(filter, now)) return *kept;
    const auto where = conditions(filter, now);
    const auto total = connection_.query("SELECT COUNT(*) FROM jobs t" + index(filter) + " WHERE " + where.sql(), where.values());
    return {total.at(0).integer(0), next_expiry(now)};
}

// An index does not know how many rows lie before an entry; the counts do.
std::optional<OffsetStart> Jobs::start_of(const JobFilter& filter, const Count& count, std::int64_t offset, core::Time now) {
    constexpr std::int64_t quicker_than_asking = 1000, most_expired = 1000;
    if (offset < quicker_than_asking || count.expired > most_expired) return {};
    const auto counted = counted_by_publication(filter);
    if (!counted) return {};
    std::vector<std::uint64_t> not_shown;
    if (count.expired > 0) {
        const auto where = expired(filter, now);
        for (const auto& row :
             connection_.query("SELECT t.published_at" + from_expired + where.sql() + " LIMIT ?", where.values({most_expired})))
            if (const auto time = row.opt_time(0)) not_shown.push_back(publication_value(*time));
    }
    return find_offset(connection_, "jobs", std::span(&counted->key, 1), counted->histogram, not_shown, offset);
}

std::vector<domain::Job> Jobs::page(const JobFilter& filter, const Count& count, Slice slice, core::Time now) {
    const auto start = start_of(filter, count, slice.offset, now);
    if (start) slice.offset -= start->skipped;
    // A page near the end is reached from there. The total is that of all, so that there must be no start.
    const bool backwards = !start && slice.offset > count.total / 2 && slice.offset < count.total;
    if (backwards) {
        slice.limit = std::min(slice.limit, count.total - slice.offset);
        slice.offset = count.total - slice.offset - slice.limit;
    }
    // The page's ids come from the index alone; only they are looked up. Several values of its first column are as many walks,
    // each in order: one over all of them would have to sort.
    const std::string towards =
        std::string(" ORDER BY ") + (backwards ? "published_at, id" : "published_at DESC, id DESC") + " LIMIT ? OFFSET ?";
    auto walks = single_values(filter);
    if (slice.offset + slice.limit > longest_of_many_walks) walks = {filter};
    std::deque<Conditions> lent;
    std::string ids;
    std::vector<db::Value> values;
    for (const auto& walk : walks) {
        auto& where = lent.emplace_back(conditions(walk, now));
        if (start) where.add("t.published_at < ?", {start->before});
        ids += std::string(ids.empty() ? "" : " UNION ALL ") + "(SELECT t.id, t.published_at FROM jobs t" + index(walk) +
               " WHERE " + where.sql() + towards + ")";
        const auto its =
            walks.size() == 1 ? where.values({slice.limit, slice.offset}) : where.values({slice.offset + slice.limit, 0});
        values.insert(values.end(), its.begin(), its.end());
    }
    if (walks.size() > 1) {
        ids += towards;
        values.insert(values.end(), {slice.limit, slice.offset});
    }
    return read_all(
        connection_.query("SELECT STRAIGHT_JOIN " + columns + " FROM (" + ids +
                              ") k JOIN jobs t ON t.id = k.id JOIN organisations o ON o.id = t.organisation_id ORDER BY " + order,
                          values));
}

std::pair<std::vector<domain::Job>, Count> Jobs::search(const JobFilter& filter, Slice slice, core::Time now) {
    const auto matches = search_.find({"jobs", "job_search", "job_id", order}, *filter.search, conditions(filter, now), slice);
    std::vector<domain::Job> jobs;
    if (!matches.ids.empty()) {
        const std::vector<db::Value> ids(matches.ids.begin(), matches.ids.end());
        jobs = in_order(
            read_all(connection_.query("SELECT " + columns + from + " WHERE t.id IN (" + placeholders(ids.size()) + ")", ids)),
            matches.ids);
    }
    return {std::move(jobs), {matches.total, next_expiry(now)}};
}

std::optional<Jobs::Found> Jobs::find(std::string_view id_or_slug, core::Time now) {
    const Identity identity(id_or_slug);
    if (!identity.possible()) return {};
    const auto rows = connection_.query(
        "SELECT " + columns + ", t.description, t.listed" + from + " WHERE " + identity.condition(), {identity.value()});
    if (rows.empty()) return {};
    const auto& row = rows[0];
    Found found{read(row), false};
    found.job.description = row.opt_text(row.columns() - 2);
    found.visible = row.boolean(row.columns() - 1) && (!found.job.expires_at || *found.job.expires_at > now);
    return found;
}

}  // namespace tradepost::repo
