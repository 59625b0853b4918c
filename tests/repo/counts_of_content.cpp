// The counts that writers keep of posts and events, and totals and pages by them.
#include "repo/counted.h"
#include "repo/event_writer.h"
#include "repo/events.h"
#include "repo/organisations.h"
#include "repo/post_writer.h"
#include "repo/posts.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

// Posts and events.
struct ContentFixture : CountedFixture {
    domain::Post post() {
        domain::Post post;
        post.id = Uuid::v7(now);
        post.slug = "post-" + std::to_string(made++);
        post.title = "Post";
        post.created_at = post.updated_at = now;
        if (below(2)) post.organisation = domain::OrganisationSummary{organisations[std::size_t(below(3))], "", "", {}};
        change(post);
        return post;
    }
    void change(domain::Post& post) {
        post.tags.clear();
        for (const char* tag : {"News", "NEWS", "Café", "—"})
            if (below(2)) post.tags.push_back(tag);
        post.published_at.reset();
        if (below(6)) post.published_at = below(20) ? any_time() : now + 1min * (1 + below(500));
    }
    domain::Event event() {
        domain::Event event;
        event.id = Uuid::v7(now);
        event.slug = "event-" + std::to_string(made++);
        event.organisation.id = organisations[std::size_t(below(3))];
        event.title = "Event";
        event.created_at = event.updated_at = now;
        change(event);
        return event;
    }
    void change(domain::Event& event) {
        event.category = below(5) ? std::optional(pick({"Fair", "FAIR", "Show"})) : std::nullopt;
        event.city = below(5) ? std::optional(pick({"Leeds", "York"})) : std::nullopt;
        event.starts_at = now + 1min * (below(60000) - 50000);
        if (below(9) == 0) event.starts_at = now + 1min * (below(9) - 4);
        event.ends_at.reset();
        if (below(2)) event.ends_at = event.starts_at + 1min * below(3000);
        event.published_at.reset();
        if (below(9)) event.published_at = below(20) ? now - 1h : now + 1min * (1 + below(500));
    }
    template <class Writer, class T>
    void write(const std::vector<T>& items) {
        db::in_transaction(connection, [&] {
            Writer writer(connection);
            writer.write(items);
            writer.finish();
        });
    }
    template <class T>
    std::vector<T> some(int count, T (ContentFixture::*make)()) {
        std::vector<T> items;
        for (int i = 0; i < count; ++i) items.push_back((this->*make)());
        return items;
    }

    void check_posts(Time at) {
        repo::Posts posts(connection, search);
        const std::vector<std::pair<std::vector<std::string>, std::string>> samples{
            {{}, "1"},
            {{"news"}, "(tags LIKE '%\"News\"%' OR tags LIKE '%\"NEWS\"%')"},
            {{"news", "NEWS"}, "(tags LIKE '%\"News\"%' OR tags LIKE '%\"NEWS\"%')"},
            {{"cafe", "news"}, "(tags LIKE '%Café%' OR tags LIKE '%\"News\"%' OR tags LIKE '%\"NEWS\"%')"},
            {{"none"}, "0"},
            {{"—"}, "tags LIKE '%—%'"},
        };
        for (const auto& [tags, where] : samples) {
            repo::PostFilter filter;
            filter.tags = tags;
            const auto expected = select(
                "SELECT id FROM posts WHERE published_at <= '" + core::to_sql(at) +
                "' AND (organisation_id IS NULL OR organisation_id IN (SELECT id FROM organisations WHERE published = 1)) AND " +
                where + " ORDER BY published_at DESC, id DESC");
            const auto count = posts.count(filter, at);
            BOOST_TEST(count.total == std::int64_t(expected.size()), where);
            for (const auto offset : offsets) check_page(posts.page(filter, count, {offset, 6}, at), expected, offset, 6);
        }
    }
    void check_events(Time at) {
        repo::Events events(connection, search);
        const auto with = [](auto set) {
            repo::EventFilter filter;
            set(filter);
            return filter;
        };
        const auto sql = [](Time time) { return "'" + core::to_sql(time) + "'"; };
        std::vector<std::pair<repo::EventFilter, std::string>> samples{
            {{}, "1"},
            {with([](auto& f) { f.categories = {"fair"}; }), "category IN ('Fair', 'FAIR')"},
            {with([](auto& f) { f.cities = {"leeds"}; }), "city = 'Leeds'"},
            {with([](auto& f) {
                 f.cities = {"leeds"}, f.categories = {"show", "SHOW"};
             }),
             "city = 'Leeds' AND category = 'Show'"},
            {with([](auto& f) {
                 f.cities = {"leeds", "york"}, f.categories = {"show"};
             }),
             "city IS NOT NULL AND category = 'Show'"},
            {with([](auto& f) { f.categories = {"—"}; }), "0"},
        };
        for (const auto days : {-400h, -30h, 0h, 40h}) {
            const auto time = at + days;
            samples.emplace_back(with([&](auto& f) { f.from = time; }), "starts_at >= " + sql(time));
            samples.emplace_back(with([&](auto& f) { f.to = time; }), "starts_at <= " + sql(time));
            samples.emplace_back(with([&](auto& f) { f.from = time, f.to = time + 35h, f.cities = {"York"}; }),
                                 "city = 'York' AND starts_at BETWEEN " + sql(time) + " AND " + sql(time + 35h));
        }
        for (const auto& [filter, where] : samples) {
            const auto expected = select("SELECT id FROM events WHERE published_at <= " + sql(at) +
                                         " AND organisation_id IN (SELECT id FROM organisations WHERE published = 1) AND " +
                                         where + " ORDER BY over_at < " + sql(at) + ", IF(over_at < " + sql(at) +
                                         ", NULL, starts_at), IF(over_at < " + sql(at) + ", starts_at, NULL) DESC, id DESC");
            const auto count = events.count(filter, at);
            BOOST_TEST(count.total == std::int64_t(expected.size()), where);
            for (const auto offset : offsets) check_page(events.page(filter, count, {offset, 6}, at), expected, offset, 6);
            for (const auto offset : {count.upcoming - 3, count.upcoming, count.upcoming / 2 + 1, count.upcoming + 3})
                if (offset >= 0) check_page(events.page(filter, count, {offset, 6}, at), expected, offset, 6);
        }
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(counts_of_content)

BOOST_FIXTURE_TEST_CASE(posts_are_counted_at_every_write, ContentFixture) {
    auto all = some(200, &ContentFixture::post);
    write<repo::PostWriter>(all);
    check_posts(now);
    for (int round = 0; round < 6; ++round) {
        for (int i = 0; i < 10; ++i) change(all[std::size_t(round * 10 + i)]);
        write<repo::PostWriter>(std::vector<domain::Post>(all.begin() + round * 10, all.begin() + round * 10 + 10));
        db::in_transaction(connection, [&] {
            repo::PostWriter writer(connection);
            writer.remove(all[std::size_t(100 + round)].id);
            writer.finish();
        });
        repo::Organisations(connection).set_published(organisations[std::size_t(round % 3)], round % 2 == 1, now);
        db::Transaction undone(connection);
        repo::PostWriter writer(connection);
        writer.write(some(3, &ContentFixture::post));
        writer.finish();
    }
    same_without([&] { check_posts(now); });
    check_posts(now + 3h);  // some have been published
    counts_are_right();
}

BOOST_FIXTURE_TEST_CASE(posts_far_on_are_found_without_walking_there, ContentFixture) {
    write<repo::PostWriter>(some(3000, &ContentFixture::post));
    check_posts(now);
    repo::Posts posts(connection, search);
    const auto count = posts.count({}, now);
    BOOST_TEST(rows_read([&] { posts.count({}, now); }) < 250u);
    BOOST_TEST(rows_read([&] { posts.page({}, count, {count.total - 20, 20}, now); }) < 1500u);
}

BOOST_FIXTURE_TEST_CASE(events_are_counted_at_every_write, ContentFixture) {
    auto all = some(250, &ContentFixture::event);
    write<repo::EventWriter>(all);
    check_events(now);
    for (int round = 0; round < 6; ++round) {
        for (int i = 0; i < 10; ++i) change(all[std::size_t(round * 10 + i)]);
        write<repo::EventWriter>(std::vector<domain::Event>(all.begin() + round * 10, all.begin() + round * 10 + 10));
        db::in_transaction(connection, [&] {
            repo::EventWriter writer(connection);
            writer.remove(all[std::size_t(100 + round)].id);
            writer.finish();
        });
        repo::Organisations(connection).set_published(organisations[std::size_t(round % 3)], round % 2 == 1, now);
        db::Transaction undone(connection);
        repo::EventWriter writer(connection);
        writer.write(some(3, &ContentFixture::event));
        writer.finish();
    }
    same_without([&] { check_events(now); });
    for (const auto later : {1h, 20h, 24h * 30}) check_events(now + later);
    counts_are_right();
}

BOOST_FIXTURE_TEST_CASE(an_event_that_ends_before_it_begins_is_not_over_until_then, ContentFixture) {
    auto all = some(60, &ContentFixture::event);
    all[0].starts_at = now + 5h;
    all[0].ends_at = now - 5h;
    all[0].published_at = now - 1h;
    write<repo::EventWriter>(all);
    check_events(now);
    counts_are_right();
}

BOOST_FIXTURE_TEST_CASE(events_far_on_are_found_without_walking_there, ContentFixture) {
    write<repo::EventWriter>(some(3500, &ContentFixture::event));
    check_events(now);
    repo::Events events(connection, search);
    const auto count = events.count({}, now);
    BOOST_TEST(rows_read([&] { events.page({}, count, {count.total - 20, 20}, now); }) < 1500u);
}

BOOST_AUTO_TEST_SUITE_END()
