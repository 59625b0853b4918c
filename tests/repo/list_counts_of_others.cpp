// The counts that writers keep of stock, enquiries, posts and events: see list_counts.cpp for those of jobs.
#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>
#include <thread>

#include "repo/enquiry_writer.h"
#include "repo/event_writer.h"
#include "repo/organisations.h"
#include "repo/post_writer.h"
#include "repo/recount.h"
#include "repo/stock_writer.h"
#include "support/database.h"

using namespace tradepost;
using core::Time;
using core::Uuid;
using namespace std::chrono_literals;

namespace {

const Time now = *core::parse_rfc3339("2026-06-01T12:00:00Z");
const std::vector<std::int64_t> offsets{0, 7, 30, 999, 1000, 1001, 1300, 1700, 2222, 2600};

struct Fixture {
    test::TestDatabase database;
    db::Connection connection;
    repo::MysqlSearch search{connection, 1500ms};
    std::mt19937 random{5};
    std::vector<Uuid> organisations, users;
    int made = 0;

    Fixture() : connection((database.migrate(), database.config())) {
        for (int i = 0; i < 3; ++i) {
            const auto name = "one-" + std::to_string(i);
            organisations.push_back(Uuid::v7(now));
            users.push_back(Uuid::v7(now));
            connection.execute(
                "INSERT INTO organisations (id, slug, name, published, created_at, updated_at) VALUES (?, ?, 'O', 1, ?, ?)",
                {organisations.back(), name, now, now});
            connection.execute(
                "INSERT INTO users (id, email, email_key, name, created_at, updated_at) VALUES (?, ?, ?, 'U', ?, ?)",
                {users.back(), name, name, now, now});
        }
    }

    int below(int n) { return int(random() % unsigned(n)); }
    std::string pick(std::initializer_list<const char*> texts) { return *(texts.begin() + below(int(texts.size()))); }
    // Many have one time, as an import's have; some are very old.
    Time any_time() { return below(4) == 0 ? now - 48h : below(30) == 0 ? Time(-1h * below(99)) : now - 1min * below(900000); }

    std::vector<Uuid> select(const std::string& sql) {
        std::vector<Uuid> ids;
        for (const auto& row : connection.query(sql)) ids.push_back(row.uuid(0));
        return ids;
    }
    std::uint64_t rows_read(const std::function<void()>& work) {
        const auto read = [&] {
            std::uint64_t sum = 0;
            for (const auto& row : connection.query("SHOW SESSION STATUS LIKE 'Handler_read%'")) sum += std::stoull(row.text(1));
            return sum;
        };
        const auto before = read();
        work();
        return read() - before;
    }
    void counts_are_right() { BOOST_TEST(repo::recount_totals(connection) == 0u); }

    // Without counts the rows are counted, with the same result; afterwards they are there again.
    void same_without(const std::function<void()>& check) {
        check();
        connection.execute("DELETE FROM list_counts");
        check();
        BOOST_TEST(repo::recount_totals(connection) > 0u);
        check();
    }
};

// `found` against the ids in SQL: those of a page.
template <class T>
void check_page(const std::vector<T>& found, const std::vector<Uuid>& expected, std::int64_t offset, std::int64_t limit) {
    const auto size = std::clamp<std::int64_t>(std::int64_t(expected.size()) - offset, 0, limit);
    BOOST_REQUIRE(std::int64_t(found.size()) == size);
    for (std::int64_t i = 0; i < size; ++i) BOOST_TEST((found[std::size_t(i)].id == expected[std::size_t(offset + i)]));
}

std::string one_of(const Uuid& id) {
    return "UNHEX(REPLACE('" + id.to_string() + "', '-', ''))";
}

struct StockFixture : Fixture {
    std::vector<domain::StockItem> all;

    domain::StockItem item() {
        domain::StockItem item;
        item.id = Uuid::v7(now);
        item.organisation_id = organisations[std::size_t(below(10) == 0 ? 1 + below(2) : 0)];
        item.reference = std::to_string(made++);
        item.title = "Item";
        item.created_at = item.updated_at = any_time();
        change(item);
        return item;
    }
    void change(domain::StockItem& item) {
        item.status = pick({"DRAFT", "PUBLISHED", "PUBLISHED", "ARCHIVED"});
        item.availability = pick({"IN_STOCK", "SOLD"});
    }
    void write(db::Connection& own, const std::vector<domain::StockItem>& items,
               const std::vector<domain::StockItem>& rows = {}) {
        repo::StockWriter writer(own);
        writer.write(items, rows, now);
        writer.finish();
    }
    void fill(int count) {
        for (int i = 0; i < count; ++i) all.push_back(item());
        db::in_transaction(connection, [&] { write(connection, all); });
    }
    void check() {
        repo::Stock stock(connection);
        const std::vector<std::pair<repo::StockFilter, std::string>> samples{
            {{}, "1"},
            {{{"DRAFT"}, {}, {}, {}, {}}, "status = 'DRAFT'"},
            {{{"DRAFT", "PUBLISHED", "DRAFT"}, {}, {}, {}, {}}, "status IN ('DRAFT', 'PUBLISHED')"},
            {{{}, {"SOLD"}, {}, {}, {}}, "availability = 'SOLD'"},
            {{{"PUBLISHED", ""}, {"SOLD", "IN_STOCK"}, {}, {}, {}}, "status = 'PUBLISHED'"},
            {{{""}, {}, {}, {}, {}}, "0"},
        };
        for (const auto& [filter, where] : samples)
            for (const auto& own : {std::vector{organisations[0]}, std::vector{organisations[1]}, organisations}) {
                std::string of = "organisation_id IN (NULL";
                for (const auto& id : own) of += ", " + one_of(id);
                const auto expected =
                    select("SELECT id FROM stock_items WHERE " + of + ") AND " + where + " ORDER BY created_at DESC, id DESC");
                const auto total = stock.list(own, filter, {0, 6}).total;
                BOOST_TEST(total == std::int64_t(expected.size()), where);
                for (const auto offset : offsets) {
                    if (offset < total) check_page(stock.list(own, filter, {offset, 6}, total).items, expected, offset, 6);
                    const auto with_total = stock.list(own, filter, {offset, 6});
                    BOOST_TEST(with_total.total == total);
                    if (offset < total) check_page(with_total.items, expected, offset, 6);
                }
            }
    }
};

struct EnquiryFixture : Fixture {
    std::vector<domain::Enquiry> all;

    domain::Enquiry enquiry() {
        domain::Enquiry enquiry;
        enquiry.id = Uuid::v7(now);
        enquiry.organisation_id = organisations[std::size_t(below(10) == 0 ? 1 + below(2) : 0)];
        enquiry.type = pick({"STOCK", "JOB", "GENERAL"});
        if (below(3)) enquiry.from_user_id = users[std::size_t(below(10) == 0)];
        enquiry.name = enquiry.message = "E";
        enquiry.status = pick({"NEW", "READ"});
        enquiry.created_at = enquiry.updated_at = any_time();
        return enquiry;
    }
    void fill(int count) {
        db::in_transaction(connection, [&] {
            repo::EnquiryWriter writer(connection);
            for (int i = 0; i < count; ++i) writer.insert(all.emplace_back(enquiry()));
            writer.finish();
        });
    }
    void check() {
        repo::Enquiries enquiries(connection);
        const auto with = [&](auto set) {
            repo::EnquiryFilter filter{organisations};
            set(filter);
            return filter;
        };
        const std::string sent = "from_user_id = " + one_of(users[0]);
        const std::vector<std::pair<repo::EnquiryFilter, std::string>> samples{
            {with([](auto&) {}), "1"},
            {with([&](auto& f) { f.organisation_ids = {organisations[0]}; }), "organisation_id = " + one_of(organisations[0])},
            {with([](auto& f) { f.statuses = {"NEW"}; }), "status = 'NEW'"},
            {with([](auto& f) {
                 f.types = {"JOB", "STOCK"};
             }),
             "type IN ('JOB', 'STOCK')"},
            {with([](auto& f) {
                 f.statuses = {"NEW", ""}, f.types = {"JOB"};
             }),
             "status = 'NEW' AND type = 'JOB'"},
            {with([&](auto& f) { f.sender = users[0], f.organisation_ids = {}; }), sent},
            {with([&](auto& f) { f.sender = users[0], f.organisation_ids = {}, f.statuses = {"NEW"}; }),
             sent + " AND status = 'NEW'"},
            {with([&](auto& f) { f.sender = users[0], f.organisation_ids = {organisations[0]}; }),
             sent + " AND organisation_id = " + one_of(organisations[0])},
            {with([&](auto& f) { f.sender = users[0], f.organisation_ids = {}, f.statuses = {"NEW"}, f.types = {"JOB"}; }),
             sent + " AND status = 'NEW' AND type = 'JOB'"},
        };
        for (const auto& [filter, where] : samples) {
            const auto expected = select("SELECT id FROM enquiries WHERE " + where + " ORDER BY created_at DESC, id DESC");
            BOOST_TEST(enquiries.count(filter) == std::int64_t(expected.size()), where);
            for (const auto offset : offsets) check_page(enquiries.page(filter, {offset, 6}), expected, offset, 6);
        }
    }
};

// Posts and events.
struct ContentFixture : Fixture {
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

BOOST_AUTO_TEST_SUITE(list_counts_of_others)

BOOST_FIXTURE_TEST_CASE(stock_is_counted_at_every_write, StockFixture) {
    fill(150);
    check();
    for (int round = 0; round < 8; ++round) {
        db::in_transaction(connection, [&] {
            repo::StockWriter writer(connection);
            const std::vector<domain::StockItem> rows(all.begin(), all.begin() + 10);
            std::vector<domain::StockItem> items = rows;
            for (auto& one : items) change(one);
            items.push_back(item());
            writer.write(items, rows, now);
            writer.remove(items[3], now);
            writer.finish();
            items.erase(items.begin() + 3);
            all.erase(all.begin(), all.begin() + 10);
            all.insert(all.end(), items.begin(), items.end());
        });
        db::Transaction undone(connection);
        write(connection, {item(), item()});
    }
    same_without([&] { check(); });
    counts_are_right();
}

BOOST_FIXTURE_TEST_CASE(stock_far_on_is_found_without_walking_there, StockFixture) {
    fill(3500);
    check();
    repo::Stock stock(connection);
    const auto own = std::span(organisations.data(), 1);
    const auto total = stock.list(own, {}, {0, 1}).total;
    BOOST_TEST(rows_read([&] { stock.list(own, {}, {0, 1}); }) < 60u);
    BOOST_TEST(rows_read([&] { stock.list(own, {}, {total - 20, 20}); }) < 1200u);
}

BOOST_FIXTURE_TEST_CASE(writers_of_stock_that_race_leave_exact_counts, StockFixture) {
    fill(20);
    std::vector<std::vector<domain::StockItem>> changes(4);
    for (auto& mine : changes)
        for (int i = 0; i < 30; ++i) {
            auto one = i % 5 == 0 ? item() : all[std::size_t(below(20))];
            change(one);
            mine.push_back(one);
        }
    std::vector<std::thread> threads;
    for (const auto& mine : changes)
        threads.emplace_back([&] {
            db::Connection own(database.config());
            for (const auto& one : mine)
                db::in_transaction(
                    own, [&] { write(own, {one}, repo::StockWriter(own).find(std::span(&one.id, 1), {})); }, 60s);
        });
    for (auto& thread : threads) thread.join();
    counts_are_right();
    check();
}

BOOST_FIXTURE_TEST_CASE(enquiries_are_counted_at_every_write, EnquiryFixture) {
    fill(200);
    check();
    for (int round = 0; round < 8; ++round) {
        db::in_transaction(connection, [&] {
            repo::EnquiryWriter writer(connection);
            auto changed = all[std::size_t(round)];
            changed.status = "CLOSED";
            writer.update(changed, all[std::size_t(round)]);
            writer.remove(all[std::size_t(100 + round)]);
            writer.insert(enquiry());
            writer.finish();
        });
        db::Transaction undone(connection);
        repo::EnquiryWriter writer(connection);
        writer.insert(enquiry());
        writer.finish();
    }
    same_without([&] { check(); });
    counts_are_right();
}

BOOST_FIXTURE_TEST_CASE(enquiries_far_on_are_found_without_walking_there, EnquiryFixture) {
    fill(3000);
    check();
    repo::Enquiries enquiries(connection);
    const auto total = enquiries.count({organisations});
    BOOST_TEST(rows_read([&] { enquiries.count({organisations}); }) < 40u);
    BOOST_TEST(rows_read([&] { enquiries.page({organisations}, {total - 20, 20}); }) < 2000u);
}

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
