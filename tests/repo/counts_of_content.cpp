// The counts that writers keep of posts and events, and totals and pages by them.
#include "repo/counted.h"
#include "resources/accounts/publication.h"
#include "resources/events/event.h"
#include "resources/events/lists.h"
#include "resources/posts/lists.h"
#include "resources/posts/post.h"
#include "support/put.h"
#include "support/rolled_back.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

// Posts and events.
struct ContentFixture : CountedFixture {
    posts::Post post() {
        posts::Post post;
        post.id = Uuid::v7(now);
        post.slug = "post-" + std::to_string(made++);
        post.title = "Post";
        post.created_at = post.updated_at = now;
        if (below(2)) post.organisation = identity::OrganisationSummary{organisations[std::size_t(below(3))], "", "", {}};
        change(post);
        return post;
    }
    void change(posts::Post& post) {
        post.tags.clear();
        for (const char* tag : {"News", "NEWS", "Café", "—"})
            if (below(2)) post.tags.push_back(tag);
        post.published_at.reset();
        if (below(6)) post.published_at = below(20) ? any_time() : now + 1min * (1 + below(500));
    }
    events::Event event() {
        events::Event event;
        event.id = Uuid::v7(now);
        event.slug = "event-" + std::to_string(made++);
        event.organisation.id = organisations[std::size_t(below(3))];
        event.title = "Event";
        event.created_at = event.updated_at = now;
        change(event);
        return event;
    }
    void change(events::Event& event) {
        event.category = below(5) ? std::optional(pick({"Fair", "FAIR", "Show"})) : std::nullopt;
        event.city = below(5) ? std::optional(pick({"Leeds", "York"})) : std::nullopt;
        event.starts_at = now + 1min * (below(60000) - 50000);
        if (below(9) == 0) event.starts_at = now + 1min * (below(9) - 4);
        event.ends_at.reset();
        if (below(2)) event.ends_at = event.starts_at + 1min * below(3000);
        event.published_at.reset();
        if (below(9)) event.published_at = below(20) ? now - 1h : now + 1min * (1 + below(500));
    }
    template <class T>
    void write(const std::vector<T>& items) {
        writes::write(connection, [&](writes::WriteTransaction& transaction) { test::put<T>(transaction, items); });
    }
    template <class T>
    std::vector<T> some(int count, T (ContentFixture::*make)()) {
        std::vector<T> items;
        for (int i = 0; i < count; ++i) items.push_back((this->*make)());
        return items;
    }

    static std::string of(const Uuid& organisation) { return "&organisationId=" + organisation.to_string(); }
    // What a member may ask for, and the same in SQL.
    inline static const std::vector<std::pair<std::string, std::string>> publications{
        {"", ""}, {"&published=true", " AND published_at IS NOT NULL"}, {"&published=false", " AND published_at IS NULL"}};

    void check_posts(Time at) {
        const std::string news = "(tags LIKE '%\"News\"%' OR tags LIKE '%\"NEWS\"%')";
        const std::vector<std::pair<std::vector<std::string>, std::string>> samples{
            {{}, "1"},
            {{"news"}, news},
            {{"news", "NEWS"}, news},
            {{"cafe", "news"}, "(tags LIKE '%Café%' OR " + news + ")"},
            {{"none"}, "0"},
            {{"—"}, "tags LIKE '%—%'"},
        };
        const std::string order = " ORDER BY published_at DESC, id DESC", own = "organisation_id = " + one_of(organisations[1]);
        for (const auto& [tags, where] : samples) {
            const auto query = parameters("tag", tags);
            const auto visible = "SELECT id FROM posts WHERE published_at <= '" + core::to_sql(at) +
                                 "' AND (organisation_id IS NULL OR organisation_id IN (SELECT id FROM organisations WHERE "
                                 "published = 1)) AND " +
                                 where;
            check_list(connection, selected(posts::public_list(), query), select(visible + order), at);
            check_list(connection, selected(posts::public_list(), query + of(organisations[1])),
                       select(visible + " AND " + own + order), at);
            for (const auto& [more, condition] : publications)
                check_list(connection, selected(posts::member_list(), query + more, {organisations[1]}),
                           select("SELECT id FROM posts WHERE " + own + condition + " AND " + where + order), at);
        }
    }
    void check_events(Time at) {
        const auto sql = [](Time time) { return "'" + core::to_sql(time) + "'"; };
        const auto parameter = [](const char* name, Time time) { return parameters(name, {core::to_rfc3339(time)}); };
        std::vector<std::pair<std::string, std::string>> samples{
            {"", "1"},
            {"category=fair", "category IN ('Fair', 'FAIR')"},
            {"city=leeds", "city = 'Leeds'"},
            {"city=leeds&category=show&category=SHOW", "city = 'Leeds' AND category = 'Show'"},
            {"city=leeds&city=york&category=show", "city IS NOT NULL AND category = 'Show'"},
            {"category=%E2%80%94", "0"},
        };
        for (const auto hours : {-400h, -30h, 0h, 40h}) {
            const auto time = at + hours;
            samples.emplace_back(parameter("from", time), "starts_at >= " + sql(time));
            samples.emplace_back(parameter("to", time), "starts_at <= " + sql(time));
            samples.emplace_back("city=York" + parameter("from", time) + parameter("to", time + 35h),
                                 "city = 'York' AND starts_at BETWEEN " + sql(time) + " AND " + sql(time + 35h));
        }
        for (const auto& [query, where] : samples) {
            const auto visible = "SELECT id FROM events WHERE published_at <= " + sql(at) +
                                 " AND organisation_id IN (SELECT id FROM organisations WHERE published = 1) AND " + where;
            const auto order = " ORDER BY over_at < " + sql(at) + ", IF(over_at < " + sql(at) +
                               ", NULL, starts_at), IF(over_at < " + sql(at) + ", starts_at, NULL) DESC, id DESC";
            const auto own = " organisation_id = " + one_of(organisations[1]);
            check_list(connection, selected(events::public_list(), query + of(organisations[1])),
                       select(visible + " AND" + own + order), at);
            for (const auto& [more, condition] : publications)
                check_list(connection, selected(events::member_list(), query + more, {organisations[1]}),
                           select("SELECT id FROM events WHERE" + own + condition + " AND " + where +
                                  " ORDER BY starts_at DESC, id DESC"),
                           at);
            const auto expected = select(visible + order);
            const auto selection = selected(events::public_list(), query);
            const auto upcoming = total(connection, selection, at).upcoming;
            check_list(connection, selection, expected, at);
            check_list(connection, selection, expected, at, {upcoming - 3, upcoming, upcoming / 2 + 1, upcoming + 3});
        }
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(counts_of_content)

BOOST_FIXTURE_TEST_CASE(posts_are_counted_at_every_write, ContentFixture) {
    auto all = some(200, &ContentFixture::post);
    write<posts::Post>(all);
    check_posts(now);
    for (int round = 0; round < 6; ++round) {
        for (int i = 0; i < 10; ++i) change(all[std::size_t(round * 10 + i)]);
        write<posts::Post>(std::vector<posts::Post>(all.begin() + round * 10, all.begin() + round * 10 + 10));
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            test::drop<posts::Post>(transaction, all[std::size_t(100 + round)].id);
            accounts::set_published(transaction, organisations[std::size_t(round % 3)], round % 2 == 1, now);
        });
        rolled_back(connection, [&](writes::WriteTransaction& transaction) {
            test::put<posts::Post>(transaction, some(3, &ContentFixture::post));
        });
    }
    same_without([&] { check_posts(now); });
    check_posts(now + 3h);  // some have been published
    counts_are_right();
}

BOOST_FIXTURE_TEST_CASE(posts_far_on_are_found_without_walking_there, ContentFixture) {
    write<posts::Post>(some(3000, &ContentFixture::post));
    check_posts(now);
    const auto all = selected(posts::public_list(), "");
    const auto known = total(connection, all, now);
    BOOST_TEST(rows_read([&] { total(connection, all, now); }) < 250u);
    BOOST_TEST(rows_read([&] { read(connection, all, {known.rows - 20, 20}, now, &known); }) < 1500u);
}

BOOST_FIXTURE_TEST_CASE(events_are_counted_at_every_write, ContentFixture) {
    auto all = some(250, &ContentFixture::event);
    write<events::Event>(all);
    check_events(now);
    for (int round = 0; round < 6; ++round) {
        for (int i = 0; i < 10; ++i) change(all[std::size_t(round * 10 + i)]);
        write<events::Event>(std::vector<events::Event>(all.begin() + round * 10, all.begin() + round * 10 + 10));
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            test::drop<events::Event>(transaction, all[std::size_t(100 + round)].id);
            accounts::set_published(transaction, organisations[std::size_t(round % 3)], round % 2 == 1, now);
        });
        rolled_back(connection, [&](writes::WriteTransaction& transaction) {
            test::put<events::Event>(transaction, some(3, &ContentFixture::event));
        });
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
    write<events::Event>(all);
    check_events(now);
    counts_are_right();
}

BOOST_FIXTURE_TEST_CASE(events_far_on_are_found_without_walking_there, ContentFixture) {
    write<events::Event>(some(3500, &ContentFixture::event));
    check_events(now);
    const auto all = selected(events::public_list(), "");
    const auto known = total(connection, all, now);
    BOOST_TEST(rows_read([&] { read(connection, all, {known.rows - 20, 20}, now, &known); }) < 1500u);
}

BOOST_AUTO_TEST_SUITE_END()
