#include "repo/jobs.h"

#include <algorithm>
#include <deque>

#include "core/log.h"
#include "repo/job_counts.h"
#include "repo/job_expiry.h"
#include "repo/job_query.h"
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

// Offsets, in rows.
constexpr std::int64_t quicker_than_asking = 1000, longest_of_many_walks = 2000;

domain::Job read(db::Row& row) {
    domain::Job job;
    std::size_t at = 0;
    job.id = row.uuid(at++);
    job.slug = row.text(at++);
    job.organisation = read_organisation(row, at);
    at += 4;
    job.title = row.text(at++);
    for (auto* text : {&job.summary, &job.category, &job.department, &job.contract_type, &job.working_hours, &job.workplace,
                       &job.city, &job.postal_code, &job.country})
        *text = row.take_text(at++);
    job.salary_min = row.opt_integer(at++);
    job.salary_max = row.opt_integer(at++);
    for (auto* text : {&job.salary_currency, &job.salary_period, &job.apply_url, &job.apply_email}) *text = row.take_text(at++);
    job.status = row.text(at++);
    job.published_at = row.opt_time(at++);
    job.expires_at = row.opt_time(at++);
    job.created_at = row.time(at++);
    job.updated_at = row.time(at++);
    return job;
}

std::vector<domain::Job> read_all(db::Rows rows) {
    std::vector<domain::Job> jobs;
    jobs.reserve(rows.size());
    for (auto& row : rows) jobs.push_back(read(row));
    return jobs;
}

}  // namespace

std::optional<core::Time> Jobs::next_expiry(core::Time now) {
    return connection_.query(std::string("SELECT ") + job_query::next_expiry, {now}).at(0).opt_time(0);
}

std::optional<Count> Jobs::kept_count(const JobFilter& filter, core::Time now) {
    const job_query::KeptTotal total(filter, now);
    if (!total.exists()) return {};
    return noted(total.read(connection_.query("SELECT " + total.columns(), total.values()).at(0), 0));
}

std::optional<Count> Jobs::noted(std::optional<Count> count) {
    if (count) unlisting_is_due_ = count->expired > few_expired_jobs && std::chrono::steady_clock::now() >= next_unlisting_;
    return count;
}

void Jobs::unlist_expired(core::Time now) noexcept {
    constexpr int some = 200;
    unlisting_is_due_ = false;
    next_unlisting_ = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    try {
        unlist_expired_jobs(connection_, now, some);
    } catch (const std::exception& error) {
        core::log::warning("expired_jobs_not_unlisted", {{"error", error.what()}});
    }
}

Count Jobs::count(const JobFilter& filter, core::Time now) {
    if (const auto kept = kept_count(filter, now)) return *kept;
    const auto where = job_query::conditions(filter, now);
    const auto total =
        connection_.query("SELECT COUNT(*) FROM jobs t" + job_query::index(filter) + " WHERE " + where.sql(), where.values());
    return {total.at(0).integer(0), next_expiry(now)};
}

// An index does not know how many rows lie before an entry; the counts do.
std::optional<OffsetStart> Jobs::start_of(const JobFilter& filter, const Count& count, std::int64_t offset, core::Time now) {
    constexpr std::int64_t most_expired = 1000;
    if (offset < quicker_than_asking || count.expired > most_expired) return {};
    const auto counted = counted_by_publication(filter);
    if (!counted) return {};
    std::vector<std::uint64_t> not_shown;
    if (count.expired > 0) {
        const auto where = job_query::expired(filter, now);
        for (const auto& row : connection_.query("SELECT t.published_at" + job_query::from_expired + where.sql() + " LIMIT ?",
                                                 where.values({most_expired})))
            if (const auto time = row.opt_time(0)) not_shown.push_back(publication_value(*time));
    }
    return find_offset(connection_, "jobs", std::span(&counted->key, 1), counted->histogram, not_shown, offset);
}

Jobs::Walk Jobs::walk_to(const JobFilter& filter, const Count& count, Slice slice, core::Time now) {
    Walk walk{slice, {}, false};
    if (const auto start = start_of(filter, count, slice.offset, now)) {
        walk.before = start->before;
        walk.slice.offset -= start->skipped;
    } else if (slice.offset > count.total / 2 && slice.offset < count.total) {
        // A page near the end is reached from there.
        walk.backwards = true;
        walk.slice.limit = std::min(slice.limit, count.total - slice.offset);
        walk.slice.offset = count.total - slice.offset - walk.slice.limit;
    }
    return walk;
}

// On a first page whose index answers the filter no row is looked up in vain. Elsewhere the page's ids come from the index alone,
// and only they are looked up. Several values of its first column are as many walks, each in order: one over all of them would
// have to sort.
db::Rows Jobs::rows(const JobFilter& filter, const Walk& walk, core::Time now, const std::string& more_columns,
                    std::vector<db::Value> values) {
    const auto& [slice, before, backwards] = walk;
    if (slice.offset == 0 && !before && !backwards && job_query::index_answers(filter)) {
        const auto where = job_query::conditions(filter, now);
        const auto its = where.values({slice.limit});
        values.insert(values.end(), its.begin(), its.end());
        return connection_.query("SELECT STRAIGHT_JOIN " + columns + more_columns + " FROM jobs t" + job_query::index(filter) +
                                     " JOIN organisations o ON o.id = t.organisation_id WHERE " + where.sql() + " ORDER BY " +
                                     order + " LIMIT ?",
                                 values);
    }
    const std::string towards =
        std::string(" ORDER BY ") + (backwards ? "published_at, id" : "published_at DESC, id DESC") + " LIMIT ? OFFSET ?";
    auto walks = job_query::single_values(filter);
    if (slice.offset + slice.limit > longest_of_many_walks) walks = {filter};
    std::deque<Conditions> lent;
    std::string ids;
    for (const auto& each : walks) {
        auto& where = lent.emplace_back(job_query::conditions(each, now));
        if (before) where.add("t.published_at < ?", {*before});
        ids += std::string(ids.empty() ? "" : " UNION ALL ") + "(SELECT t.id, t.published_at FROM jobs t" +
               job_query::index(each) + " WHERE " + where.sql() + towards + ")";
        const auto its =
            walks.size() == 1 ? where.values({slice.limit, slice.offset}) : where.values({slice.offset + slice.limit, 0});
        values.insert(values.end(), its.begin(), its.end());
    }
    if (walks.size() > 1) {
        ids += towards;
        values.insert(values.end(), {slice.limit, slice.offset});
    }
    return connection_.query("SELECT STRAIGHT_JOIN " + columns + more_columns + " FROM (" + ids +
                                 ") k JOIN jobs t ON t.id = k.id JOIN organisations o ON o.id = t.organisation_id ORDER BY "
                                 "k.published_at DESC, k.id DESC",
                             values);
}

std::vector<domain::Job> Jobs::page(const JobFilter& filter, const Count& count, Slice slice, core::Time now) {
    return read_all(rows(filter, walk_to(filter, count, slice, now), now));
}

std::pair<std::vector<domain::Job>, Count> Jobs::list(const JobFilter& filter, Slice slice, core::Time now, const Count* known) {
    if (!known && slice.offset < quicker_than_asking) {
        const job_query::KeptTotal total(filter, now);
        auto found = total.exists() ? rows(filter, {slice, {}, false}, now, ", " + total.columns(), total.values()) : db::Rows();
        if (!found.empty())
            if (const auto count = noted(total.read(found[0], found[0].columns() - total.width())))
                return {read_all(std::move(found)), *count};
    }
    const auto count = known ? *known : this->count(filter, now);
    if (slice.offset >= count.total) return {{}, count};
    return {page(filter, count, slice, now), count};
}

std::pair<std::vector<domain::Job>, Count> Jobs::search(const JobFilter& filter, Slice slice, core::Time now) {
    const auto matches =
        search_.find({"jobs", "job_search", "job_id", order}, *filter.search, job_query::conditions(filter, now), slice);
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
    auto rows = connection_.query("SELECT " + columns + ", t.description, t.listed" + from + " WHERE " + identity.condition(),
                                  {identity.value()});
    if (rows.empty()) return {};
    auto& row = rows[0];
    Found found{read(row), false};
    found.job.description = row.take_text(row.columns() - 2);
    found.visible = row.boolean(row.columns() - 1) && (!found.job.expires_at || *found.job.expires_at > now);
    return found;
}

}  // namespace tradepost::repo
