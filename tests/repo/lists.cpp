// Lists of jobs, events and posts against plain loops over the same data, and what their statements read.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>

#include "core/text.h"
#include "repo/event_writer.h"
#include "repo/events.h"
#include "repo/job_writer.h"
#include "repo/jobs.h"
#include "repo/post_writer.h"
#include "repo/posts.h"
#include "support/database.h"

using namespace tradepost;
using core::Time;
using core::Uuid;

namespace {

const Time now = *core::parse_rfc3339("2026-06-01T12:00:00Z");

struct Data {
    test::TestDatabase database;
    db::Connection connection;
    std::mt19937 random{7};
    std::vector<domain::OrganisationSummary> organisations;
    std::vector<bool> published;
    repo::MysqlSearch search{connection, std::chrono::milliseconds(1500)};

    Data() : connection((database.migrate(), database.config())) {
        for (int i = 0; i < 6; ++i) {
            const std::string slug = "org-" + std::to_string(i);
            organisations.push_back({Uuid::v7(now), slug, slug, {}});
            published.push_back(i != 3);
            connection.execute("INSERT INTO organisations (id, slug, name, published, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
                               {organisations.back().id, slug, slug, bool(published.back()), now, now});
        }
    }
    int below(int n) { return int(random() % unsigned(n)); }
    std::optional<std::string> pick(std::initializer_list<const char*> texts) {
        const int at = below(int(texts.size()) + 1);
        return at == int(texts.size()) ? std::nullopt : std::optional<std::string>(*(texts.begin() + at));
    }
    Time around(int days) { return now + std::chrono::hours(below(days * 48) - days * 24); }
    template <class Writer, class T>
    void write(const std::vector<T>& items) {
        db::in_transaction(connection, [&] {
            Writer writer(connection);
            writer.write(items);
            writer.finish();
        });
    }
    std::uint64_t rows_read() {
        std::uint64_t sum = 0;
        for (const auto& row : connection.query("SHOW SESSION STATUS LIKE 'Handler_read%'")) sum += std::stoull(row.text(1));
        return sum;
    }
};

bool same(const std::optional<std::string>& value, const std::vector<std::string>& wanted) {
    if (wanted.empty()) return true;
    return value && std::any_of(wanted.begin(), wanted.end(), [&](const auto& w) { return core::fold_key(w) == core::fold_key(*value); });
}

template <class T>
std::vector<std::string> ids(const std::vector<T>& items) {
    std::vector<std::string> list;
    for (const auto& item : items) list.push_back(item.id.to_string());
    return list;
}

template <class T>
std::vector<T> slice_of(const std::vector<T>& all, repo::Slice slice) {
    const auto size = std::int64_t(all.size());
    return {all.begin() + std::min(slice.offset, size), all.begin() + std::min(slice.offset + slice.limit, size)};
}

struct Jobs : Data {
    std::vector<domain::Job> all;
    repo::Jobs jobs{connection, search};

    explicit Jobs(int count = 400) {
        for (int i = 0; i < count; ++i) {
            domain::Job job;
            job.id = Uuid::v7(now);
            job.slug = "job-" + std::to_string(i);
            job.organisation = organisations[below(6)];
            job.title = "Job";
            job.category = pick({"Sales", "sáles", "Workshop"});
            job.department = pick({"Parts", "Service"});
            job.contract_type = pick({"PERMANENT", "TEMPORARY"});
            job.city = pick({"London", "LONDON", "Łódź", "100%"});
            if (below(3)) job.salary_min = 20000 + below(5) * 1000;
            if (below(3)) job.salary_max = 25000 + below(5) * 1000;
            job.status = below(5) ? "PUBLISHED" : "DRAFT";
            if (job.status == "PUBLISHED") job.published_at = around(20);
            if (below(3) == 0) job.expires_at = around(5);
            job.created_at = job.updated_at = now;
            all.push_back(job);
        }
        db::in_transaction(connection, [&] {
            repo::JobWriter writer(connection);
            writer.write(all);
            writer.finish();
        });
    }

    std::vector<domain::Job> expected(const repo::JobFilter& f) const {
        std::vector<domain::Job> found;
        for (const auto& job : all) {
            const auto organisation = std::find_if(organisations.begin(), organisations.end(), [&](const auto& o) { return o.id == job.organisation.id; });
            const bool visible = job.status == "PUBLISHED" && published[organisation - organisations.begin()] && (!job.expires_at || *job.expires_at > now);
            if (!f.every_state && !visible) continue;
            if (f.every_state && !f.statuses.empty() && std::find(f.statuses.begin(), f.statuses.end(), job.status) == f.statuses.end()) continue;
            if (f.organisation_id && job.organisation.id != *f.organisation_id) continue;
            if (!same(job.category, f.categories) || !same(job.department, f.departments) || !same(job.city, f.cities)) continue;
            if (!same(job.contract_type, f.contract_types)) continue;
            if ((f.salary_min || f.salary_max) && !job.salary_min && !job.salary_max) continue;
            if (f.salary_min && job.salary_max && *job.salary_max < *f.salary_min) continue;
            if (f.salary_max && job.salary_min && *job.salary_min > *f.salary_max) continue;
            found.push_back(job);
        }
        std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return std::tie(a.published_at, a.id) > std::tie(b.published_at, b.id); });
        return found;
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(lists)

BOOST_AUTO_TEST_CASE(jobs_are_what_a_plain_loop_finds) {
    Jobs data;
    for (int round = 0; round < 150; ++round) {
        repo::JobFilter filter;
        if (data.below(4) == 0) filter.categories = {"SALES"};
        if (data.below(6) == 0) filter.categories = {"workshop", "sales"};
        if (data.below(5) == 0) filter.departments = {"parts"};
        if (data.below(4) == 0) filter.cities = {data.below(2) ? "london" : "lodz"};
        if (data.below(8) == 0) filter.cities = {"100%", "nowhere", "_"};
        if (data.below(5) == 0) filter.contract_types = {"PERMANENT"};
        if (data.below(4) == 0) filter.salary_min = 20000 + data.below(12) * 1000;
        if (data.below(4) == 0) filter.salary_max = 20000 + data.below(12) * 1000;
        if (data.below(4) == 0) filter.organisation_id = data.organisations[data.below(6)].id;
        if (filter.organisation_id && data.below(2)) filter.every_state = true;
        if (filter.every_state && data.below(2)) filter.statuses = {"DRAFT"};
        const repo::Slice slice{data.below(3) * 20, 20};
        const auto expected = data.expected(filter);
        const auto count = data.jobs.count(filter, now);
        BOOST_TEST(count.total == std::int64_t(expected.size()));
        BOOST_TEST(ids(data.jobs.page(filter, count, slice, now)) == ids(slice_of(expected, slice)), boost::test_tools::per_element());
        const auto [page, same_count] = data.jobs.list(filter, slice, now, nullptr);
        BOOST_TEST(ids(page) == ids(slice_of(expected, slice)), boost::test_tools::per_element());
        BOOST_TEST(same_count.total == count.total);
        BOOST_TEST((same_count.valid_until == count.valid_until));
        BOOST_TEST(ids(data.jobs.list(filter, slice, now, &count).first) == ids(page), boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(a_count_of_jobs_holds_until_the_next_expiry) {
    Jobs data;
    std::optional<Time> next;
    for (const auto& job : data.expected({}))
        if (job.expires_at && (!next || *job.expires_at < *next)) next = job.expires_at;
    BOOST_TEST((data.jobs.count({}, now).valid_until == next));
}

BOOST_AUTO_TEST_CASE(a_page_of_jobs_reads_no_more_rows_than_it_needs) {
    Jobs data(3000);
    const auto reads = [&](const repo::JobFilter& filter, repo::Slice slice) {
        const auto before = data.rows_read();
        data.jobs.page(filter, {}, slice, now);
        return data.rows_read() - before;
    };
    // 20 rows each from the index, the derived table, twice, the jobs and their organisations; expired ones in between; and
    // what SHOW STATUS itself reads.
    const std::uint64_t bound = 250;
    repo::JobFilter city, category, type;
    city.cities = {"London"};
    category.categories = {"sales"};
    type.contract_types = {"PERMANENT"};
    BOOST_TEST(reads({}, {0, 20}) < bound);
    BOOST_TEST(reads(city, {0, 20}) < bound);
    BOOST_TEST(reads(category, {0, 20}) < bound);
    BOOST_TEST(reads(type, {0, 20}) < bound);
    BOOST_TEST(reads({}, {1000, 20}) < 1000 * 1.5 + bound);
}

BOOST_AUTO_TEST_CASE(events_to_come_are_first_and_the_past_is_newest_first) {
    Data data;
    std::vector<domain::Event> all;
    for (int i = 0; i < 300; ++i) {
        domain::Event event;
        event.id = Uuid::v7(now);
        event.slug = "event-" + std::to_string(i);
        event.organisation = data.organisations[data.below(6)];
        event.title = "Event";
        event.category = data.pick({"Auction", "Fair"});
        event.city = data.pick({"Leeds", "York"});
        event.starts_at = i == 0 ? now : data.around(3);
        if (data.below(2)) event.ends_at = event.starts_at + std::chrono::hours(data.below(30));
        if (i == 1) event.ends_at = now, event.starts_at = now - std::chrono::hours(2);
        if (data.below(5)) event.published_at = data.below(8) ? now - std::chrono::hours(1) : now + std::chrono::hours(data.below(9));
        event.created_at = event.updated_at = now;
        all.push_back(event);
    }
    data.write<repo::EventWriter>(all);
    repo::Events events(data.connection, data.search);
    for (int round = 0; round < 120; ++round) {
        repo::EventFilter filter;
        if (data.below(3) == 0) filter.categories = {"AUCTION"};
        if (data.below(3) == 0) filter.cities = {"leeds", "bath"};
        if (data.below(3) == 0) filter.from = data.around(2);
        if (data.below(3) == 0) filter.to = data.around(2);
        std::vector<domain::Event> upcoming, past;
        for (const auto& event : all) {
            const auto organisation = std::find_if(data.organisations.begin(), data.organisations.end(), [&](const auto& o) { return o.id == event.organisation.id; });
            if (!event.published_at || *event.published_at > now || !data.published[organisation - data.organisations.begin()]) continue;
            if (!same(event.category, filter.categories) || !same(event.city, filter.cities)) continue;
            if ((filter.from && event.starts_at < *filter.from) || (filter.to && event.starts_at > *filter.to)) continue;
            (event.over_at() >= now ? upcoming : past).push_back(event);
        }
        std::sort(upcoming.begin(), upcoming.end(), [](const auto& a, const auto& b) { return std::tie(a.starts_at, b.id) < std::tie(b.starts_at, a.id); });
        std::sort(past.begin(), past.end(), [](const auto& a, const auto& b) { return std::tie(a.starts_at, a.id) > std::tie(b.starts_at, b.id); });
        auto expected = upcoming;
        expected.insert(expected.end(), past.begin(), past.end());
        const auto count = events.count(filter, now);
        BOOST_TEST(count.total == std::int64_t(expected.size()));
        const repo::Slice slice{data.below(5) * 13, 13 + data.below(40)};
        BOOST_TEST(ids(events.page(filter, count, slice, now)) == ids(slice_of(expected, slice)), boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(a_count_of_events_holds_until_one_is_over_or_published) {
    Data data;
    domain::Event event;
    event.organisation = data.organisations[0];
    event.title = "Event";
    event.created_at = event.updated_at = now;
    std::vector<domain::Event> all(2, event);
    all[0].id = Uuid::v7(now), all[0].slug = "a";
    all[0].starts_at = now + std::chrono::hours(3), all[0].published_at = now - std::chrono::hours(1);
    all[1].id = Uuid::v7(now), all[1].slug = "b";
    all[1].starts_at = now + std::chrono::hours(9), all[1].published_at = now + std::chrono::hours(1);
    data.write<repo::EventWriter>(all);
    repo::Events events(data.connection, data.search);
    BOOST_TEST((events.count({}, now).valid_until == now + std::chrono::hours(1)));
    BOOST_TEST((events.count({}, now + std::chrono::hours(2)).valid_until == now + std::chrono::hours(3) + core::milliseconds(1)));
}

BOOST_AUTO_TEST_CASE(posts_by_tag_are_found_once_whatever_tags_they_share) {
    Data data;
    std::vector<domain::Post> all;
    for (int i = 0; i < 200; ++i) {
        domain::Post post;
        post.id = Uuid::v7(now);
        post.slug = "post-" + std::to_string(i);
        if (data.below(3)) post.organisation = data.organisations[data.below(6)];
        post.title = "Post";
        for (const auto& tag : {data.pick({"News", "NEWS"}), data.pick({"Market"}), data.pick({"Café"})})
            if (tag) post.tags.push_back(*tag);
        if (data.below(5)) post.published_at = data.around(10);
        post.created_at = post.updated_at = now;
        all.push_back(post);
    }
    data.write<repo::PostWriter>(all);
    repo::Posts posts(data.connection, data.search);
    for (const std::vector<std::string>& tags :
         {std::vector<std::string>{}, {"news"}, {"cafe"}, {"news", "market"}, {"Market", "market"}, {"none"}, {"none", "café"}}) {
        std::vector<domain::Post> expected;
        for (const auto& post : all) {
            if (!post.published_at || *post.published_at > now) continue;
            if (post.organisation && post.organisation->slug == "org-3") continue;
            if (!tags.empty() && std::none_of(post.tags.begin(), post.tags.end(), [&](const auto& tag) { return same(tag, tags); })) continue;
            expected.push_back(post);
        }
        std::sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return std::tie(a.published_at, a.id) > std::tie(b.published_at, b.id); });
        const repo::PostFilter filter{{}, tags};
        const auto count = posts.count(filter, now);
        BOOST_TEST(count.total == std::int64_t(expected.size()));
        for (const std::int64_t offset : {0, 15, 90})
            BOOST_TEST(ids(posts.page(filter, count, {offset, 15}, now)) == ids(slice_of(expected, {offset, 15})), boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_SUITE_END()
