// Lists of jobs, events and posts against plain loops over the same data, and what their statements read.
#define BOOST_TEST_DYN_LINK
#include "resources/events/lists.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>

#include "core/text.h"
#include "resources/events/event.h"
#include "resources/jobs/job.h"
#include "resources/jobs/lists.h"
#include "resources/posts/lists.h"
#include "resources/posts/post.h"
#include "support/database.h"
#include "support/list_reader.h"
#include "support/put.h"

using namespace tradepost;
using core::Time;
using core::Uuid;
using test::parameters;
using Texts = std::vector<std::string>;

namespace {

const Time now = *core::parse_rfc3339("2026-06-01T12:00:00Z");

struct Data {
    test::MigratedDatabase database;
    db::Connection connection;
    std::mt19937 random{7};
    std::vector<identity::OrganisationSummary> organisations;
    std::vector<bool> published;

    Data() : connection(database.config()) {
        for (int i = 0; i < 6; ++i) {
            const std::string slug = "org-" + std::to_string(i);
            organisations.push_back({Uuid::v7(now), slug, slug, {}});
            published.push_back(i != 3);
            connection.execute(
                "INSERT INTO organisations (id, slug, name, published, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
                {organisations.back().id, slug, slug, bool(published.back()), now, now});
        }
    }
    int below(int n) { return int(random() % unsigned(n)); }
    std::optional<std::string> pick(std::initializer_list<const char*> texts) {
        const int at = below(int(texts.size()) + 1);
        return at == int(texts.size()) ? std::nullopt : std::optional<std::string>(*(texts.begin() + at));
    }
    Time around(int days) { return now + std::chrono::hours(below(days * 48) - days * 24); }
    template <class T>
    void write(const std::vector<T>& items) {
        writes::write(connection, [&](writes::WriteTransaction& transaction) { test::put<T>(transaction, items); });
    }
};

bool same(const std::optional<std::string>& value, const std::vector<std::string>& wanted) {
    if (wanted.empty()) return true;
    return value &&
           std::any_of(wanted.begin(), wanted.end(), [&](const auto& w) { return core::fold_key(w) == core::fold_key(*value); });
}

// The page against what a plain loop found, with the total known and without.
template <class T>
void check_page(db::Connection& connection, const lists::Selection& selection, const std::vector<T>& all, db::Slice slice) {
    const auto size = std::int64_t(all.size());
    const auto total = test::total(connection, selection, now);
    BOOST_TEST(total.rows == size);
    std::vector<Uuid> expected;
    for (auto i = slice.offset; i < std::min(slice.offset + slice.limit, size); ++i) expected.push_back(all[std::size_t(i)].id);
    BOOST_CHECK(test::ids(test::read(connection, selection, slice, now, &total)) == expected);
    const auto page = test::read(connection, selection, slice, now);
    BOOST_CHECK(test::ids(page) == expected);
    BOOST_TEST(page.total.rows == size);
    BOOST_CHECK(page.total.valid_until == total.valid_until);
}

struct AskedJobs {
    Texts categories = {}, departments = {}, contract_types = {}, cities = {}, statuses = {};
    std::optional<std::int64_t> salary_min = {}, salary_max = {};
    std::optional<Uuid> organisation_id = {};
    bool by_member = false;

    lists::Selection selection() const {
        auto query = parameters("category", categories) + parameters("department", departments) + parameters("city", cities) +
                     parameters("contractType", contract_types);
        if (salary_min) query += "&salaryMin=" + std::to_string(*salary_min);
        if (salary_max) query += "&salaryMax=" + std::to_string(*salary_max);
        if (by_member) return test::selected(jobs::member_list(), query + parameters("status", statuses), {*organisation_id});
        if (organisation_id) query += "&organisationId=" + organisation_id->to_string();
        return test::selected(jobs::public_list(), query);
    }
};

struct Jobs : Data {
    std::vector<jobs::Job> all;

    explicit Jobs(int count = 400) {
        for (int i = 0; i < count; ++i) {
            jobs::Job job;
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
        writes::write(connection, [&](writes::WriteTransaction& transaction) { test::put<jobs::Job>(transaction, all); });
    }

    std::vector<jobs::Job> expected(const AskedJobs& f) const {
        std::vector<jobs::Job> found;
        for (const auto& job : all) {
            const auto organisation = std::find_if(organisations.begin(), organisations.end(),
                                                   [&](const auto& o) { return o.id == job.organisation.id; });
            const bool visible = job.status == "PUBLISHED" && published[organisation - organisations.begin()] &&
                                 (!job.expires_at || *job.expires_at > now);
            if (!f.by_member && !visible) continue;
            if (f.by_member && !f.statuses.empty() &&
                std::find(f.statuses.begin(), f.statuses.end(), job.status) == f.statuses.end())
                continue;
            if (f.organisation_id && job.organisation.id != *f.organisation_id) continue;
            if (!same(job.category, f.categories) || !same(job.department, f.departments) || !same(job.city, f.cities)) continue;
            if (!same(job.contract_type, f.contract_types)) continue;
            if ((f.salary_min || f.salary_max) && !job.salary_min && !job.salary_max) continue;
            if (f.salary_min && job.salary_max && *job.salary_max < *f.salary_min) continue;
            if (f.salary_max && job.salary_min && *job.salary_min > *f.salary_max) continue;
            found.push_back(job);
        }
        std::sort(found.begin(), found.end(),
                  [](const auto& a, const auto& b) { return std::tie(a.published_at, a.id) > std::tie(b.published_at, b.id); });
        return found;
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(lists)

BOOST_AUTO_TEST_CASE(jobs_are_what_a_plain_loop_finds) {
    Jobs data;
    for (int round = 0; round < 150; ++round) {
        AskedJobs filter;
        if (data.below(4) == 0) filter.categories = {"SALES"};
        if (data.below(6) == 0) filter.categories = {"workshop", "sales"};
        if (data.below(5) == 0) filter.departments = {"parts"};
        if (data.below(4) == 0) filter.cities = {data.below(2) ? "london" : "lodz"};
        if (data.below(8) == 0) filter.cities = {"100%", "nowhere", "_"};
        if (data.below(5) == 0) filter.contract_types = {"PERMANENT"};
        if (data.below(4) == 0) filter.salary_min = 20000 + data.below(12) * 1000;
        if (data.below(4) == 0) filter.salary_max = filter.salary_min.value_or(20000) + data.below(12) * 1000;
        if (data.below(4) == 0) filter.organisation_id = data.organisations[data.below(6)].id;
        if (filter.organisation_id && data.below(2)) filter.by_member = true;
        if (filter.by_member && data.below(2)) filter.statuses = {"DRAFT"};
        check_page(data.connection, filter.selection(), data.expected(filter), {data.below(3) * 20, 20});
    }
}

BOOST_AUTO_TEST_CASE(a_count_of_jobs_holds_until_the_next_expiry) {
    Jobs data;
    std::optional<Time> next;
    for (const auto& job : data.expected({}))
        if (job.expires_at && (!next || *job.expires_at < *next)) next = job.expires_at;
    BOOST_CHECK(test::total(data.connection, jobs::public_list(), "", now).valid_until == next);
}

BOOST_AUTO_TEST_CASE(a_page_of_jobs_reads_no_more_rows_than_it_needs) {
    Jobs data(3000);
    const auto reads = [&](const std::string& query, db::Slice slice) {
        const auto selection = test::selected(jobs::public_list(), query);
        const auto total = test::total(data.connection, selection, now);
        return test::rows_read(data.connection, [&] { test::read(data.connection, selection, slice, now, &total); });
    };
    // 20 rows each from the index, the derived table, twice, the jobs and their organisations; and expired ones in between.
    const std::uint64_t bound = 200;
    for (const char* query : {"", "city=London", "category=sales", "contractType=PERMANENT"})
        BOOST_TEST(reads(query, {0, 20}) < bound, query);
    BOOST_TEST(reads("", {1000, 20}) < 1000 * 1.5 + bound);
}

BOOST_AUTO_TEST_CASE(events_to_come_are_first_and_the_past_is_newest_first) {
    Data data;
    std::vector<events::Event> all;
    for (int i = 0; i < 300; ++i) {
        events::Event event;
        event.id = Uuid::v7(now);
        event.slug = "event-" + std::to_string(i);
        event.organisation = data.organisations[data.below(6)];
        event.title = "Event";
        event.category = data.pick({"Auction", "Fair"});
        event.city = data.pick({"Leeds", "York"});
        event.starts_at = i == 0 ? now : data.around(3);
        if (data.below(2)) event.ends_at = event.starts_at + std::chrono::hours(data.below(30));
        if (i == 1) event.ends_at = now, event.starts_at = now - std::chrono::hours(2);
        if (data.below(5))
            event.published_at = data.below(8) ? now - std::chrono::hours(1) : now + std::chrono::hours(data.below(9));
        event.created_at = event.updated_at = now;
        all.push_back(event);
    }
    data.write<events::Event>(all);
    for (int round = 0; round < 120; ++round) {
        Texts categories, cities;
        std::optional<Time> from, to;
        if (data.below(3) == 0) categories = {"AUCTION"};
        if (data.below(3) == 0) cities = {"leeds", "bath"};
        if (data.below(3) == 0) from = data.around(2);
        if (data.below(3) == 0) to = from.value_or(now) + std::chrono::hours(data.below(96));
        auto query = parameters("category", categories) + parameters("city", cities);
        if (from) query += parameters("from", {core::to_rfc3339(*from)});
        if (to) query += parameters("to", {core::to_rfc3339(*to)});
        std::vector<events::Event> upcoming, past;
        for (const auto& event : all) {
            const auto organisation = std::find_if(data.organisations.begin(), data.organisations.end(),
                                                   [&](const auto& o) { return o.id == event.organisation.id; });
            if (!event.published_at || *event.published_at > now || !data.published[organisation - data.organisations.begin()])
                continue;
            if (!same(event.category, categories) || !same(event.city, cities)) continue;
            if ((from && event.starts_at < *from) || (to && event.starts_at > *to)) continue;
            (event.over_at() >= now ? upcoming : past).push_back(event);
        }
        std::sort(upcoming.begin(), upcoming.end(),
                  [](const auto& a, const auto& b) { return std::tie(a.starts_at, b.id) < std::tie(b.starts_at, a.id); });
        std::sort(past.begin(), past.end(),
                  [](const auto& a, const auto& b) { return std::tie(a.starts_at, a.id) > std::tie(b.starts_at, b.id); });
        auto expected = upcoming;
        expected.insert(expected.end(), past.begin(), past.end());
        check_page(data.connection, test::selected(events::public_list(), query), expected,
                   {data.below(5) * 13, 13 + data.below(40)});
    }
}

BOOST_AUTO_TEST_CASE(a_count_of_events_holds_until_one_is_over_or_published) {
    Data data;
    events::Event event;
    event.organisation = data.organisations[0];
    event.title = "Event";
    event.created_at = event.updated_at = now;
    std::vector<events::Event> all(2, event);
    all[0].id = Uuid::v7(now), all[0].slug = "a";
    all[0].starts_at = now + std::chrono::hours(3), all[0].published_at = now - std::chrono::hours(1);
    all[1].id = Uuid::v7(now), all[1].slug = "b";
    all[1].starts_at = now + std::chrono::hours(9), all[1].published_at = now + std::chrono::hours(1);
    data.write<events::Event>(all);
    const auto valid_until = [&](Time time) { return test::total(data.connection, events::public_list(), "", time).valid_until; };
    BOOST_CHECK(valid_until(now) == now + std::chrono::hours(1));
    BOOST_CHECK(valid_until(now + std::chrono::hours(2)) == now + std::chrono::hours(3) + core::milliseconds(1));
}

BOOST_AUTO_TEST_CASE(posts_by_tag_are_found_once_whatever_tags_they_share) {
    Data data;
    std::vector<posts::Post> all;
    for (int i = 0; i < 200; ++i) {
        posts::Post post;
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
    data.write<posts::Post>(all);
    for (const Texts& tags :
         {Texts{}, {"news"}, {"cafe"}, {"news", "market"}, {"Market", "market"}, {"none"}, {"none", "café"}}) {
        std::vector<posts::Post> expected;
        for (const auto& post : all) {
            if (!post.published_at || *post.published_at > now) continue;
            if (post.organisation && post.organisation->slug == "org-3") continue;
            if (!tags.empty() &&
                std::none_of(post.tags.begin(), post.tags.end(), [&](const auto& tag) { return same(tag, tags); }))
                continue;
            expected.push_back(post);
        }
        std::sort(expected.begin(), expected.end(),
                  [](const auto& a, const auto& b) { return std::tie(a.published_at, a.id) > std::tie(b.published_at, b.id); });
        for (const std::int64_t offset : {0, 15, 90})
            check_page(data.connection, test::selected(posts::public_list(), parameters("tag", tags)), expected, {offset, 15});
    }
}

BOOST_AUTO_TEST_SUITE_END()
