// Counts of jobs that time or hands have made wrong: expiry, unlisting, recounts.
#include "lists/lists.h"
#include "repo/counted_jobs.h"
#include "search/engines/mysql_search.h"
#include "support/threads.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

struct Fixture : CountedJobs {
    lists::Total everything() { return total(connection, jobs::public_list(), "", now); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(counts_mended, Fixture)

BOOST_AUTO_TEST_CASE(an_expired_job_is_taken_off_at_once_and_unlisted_later) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 150; ++i) all.push_back(job());
    write(all);
    const auto listed_and_expired = counted("listed = 1 AND expires_at <= '2026-06-01 12:00:00'");
    BOOST_REQUIRE(listed_and_expired > 0);
    BOOST_TEST(everything().hidden == listed_and_expired);
    const auto total = everything().rows;
    const auto later = now + 10s;
    BOOST_TEST(jobs::unlist_expired_jobs(connection, later, 2) == 2u);
    while (jobs::unlist_expired_jobs(connection, later, 3) > 0) {
    }
    BOOST_TEST(everything().hidden == 0);
    BOOST_TEST(everything().rows == total);
    BOOST_TEST(recount() == 0u);
    check_totals(*this);

    // What gets another time is listed again.
    for (auto& item : all) item.expires_at.reset();
    write(all);
    check_totals(*this);
    BOOST_TEST(recount() == 0u);
}

BOOST_AUTO_TEST_CASE(unlisting_leaves_what_another_host_may_still_show) {
    auto item = job();
    item.status = "PUBLISHED";
    item.published_at = now - 1h;
    item.expires_at = now;
    write({item});
    BOOST_TEST(jobs::unlist_expired_jobs(connection, now + 4999ms, 10) == 0u);
    BOOST_TEST(jobs::unlist_expired_jobs(connection, now + 5s, 10) == 1u);
}

BOOST_AUTO_TEST_CASE(unlisting_is_due_when_many_have_expired) {
    std::vector<jobs::Job> all;
    const auto expire = [&](int count) {
        for (int i = 0; i < count; ++i) {
            all.push_back(job());
            all.back().status = "PUBLISHED";
            all.back().published_at = now - 1h;
            all.back().expires_at = now - 1min;
        }
        write(all);
    };
    const core::ManualClock clock(now);
    search::MysqlSearch search(connection, 30s);
    versions::CollectionVersions versions(connection);
    versions::ResponseCache cache(0);
    lists::Lists lists(connection, connection, search, 30s, versions, cache, clock, "", [] { return std::string(32, 'k'); });
    const auto after = [&] { return lists.answer(jobs::public_list(), {}, {}).after; };
    expire(10);
    BOOST_TEST(!after());
    expire(201);
    const auto begun = std::chrono::steady_clock::now();
    const auto unlist = after();
    BOOST_REQUIRE(unlist);
    unlist();
    // Once a second is often enough.
    BOOST_TEST((!after() || std::chrono::steady_clock::now() - begun > 1s));
    BOOST_TEST(everything().hidden == 11);
    BOOST_TEST(recount() == 0u);
}

BOOST_AUTO_TEST_CASE(recount_mends_what_was_changed_by_hand_while_others_write) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 100; ++i) all.push_back(job());
    write(all);
    connection.execute("DELETE FROM job_search");
    connection.execute("DELETE FROM jobs LIMIT 20");
    connection.execute("UPDATE jobs SET listed = 0 WHERE listed = 1 LIMIT 10");
    const auto more = job();
    bool written = false;
    BOOST_TEST(counts::recount(connection, resource::Store<jobs::Job>::counted(), [&](std::size_t) {
                   if (std::exchange(written, true)) return;
                   db::Connection other(database.config());
                   write(other, {more});
               }) > 0u);
    BOOST_TEST(recount() == 0u);
}

BOOST_AUTO_TEST_CASE(two_who_recount_at_once_do_not_add_the_same_twice) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 50; ++i) all.push_back(job());
    write(all);
    connection.execute("DELETE FROM list_counts WHERE measure <> 255");
    test::Thread other;
    counts::recount(connection, resource::Store<jobs::Job>::counted(), [&](std::size_t) {
        if (other.joinable()) return;
        other = test::Thread([&] {
            db::Connection second(database.config());
            counts::recount(second, resource::Store<jobs::Job>::counted());
        });
    });
    other.join();
    BOOST_TEST(recount() == 0u);
}

BOOST_AUTO_TEST_CASE(rows_are_counted_while_counts_are_not_complete) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 60; ++i) all.push_back(job());
    write(all);
    BOOST_TEST(counts_are_used());
    connection.execute("DELETE FROM list_counts");
    BOOST_TEST(!counts_are_used());
    check_totals(*this);
    BOOST_TEST(recount() > 0u);
    BOOST_TEST(recount() == 0u);
    check_totals(*this);
}

BOOST_AUTO_TEST_CASE(counts_of_another_scheme_are_not_used) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 1500; ++i) all.push_back(job());
    write(all);
    connection.execute("UPDATE list_counts SET n = 7 WHERE measure = 255");
    connection.execute("UPDATE list_counts SET n = n + 5 WHERE measure <> 255");
    BOOST_TEST(!counts_are_used());
    BOOST_CHECK(counts::scheme_of(connection, resource::Store<jobs::Job>::counted()) == 7);
    check_totals(*this);
    check_list(connection, selected(jobs::member_list(), "", {organisations[0]}),
               select("SELECT id FROM jobs WHERE organisation_id = " + one_of(organisations[0]) +
                      " ORDER BY published_at DESC, id DESC"),
               now);
    check_list(connection, selected(jobs::public_list(), ""),
               select("SELECT id FROM jobs WHERE " + shown + "1 ORDER BY published_at DESC, id DESC"), now);

    const auto listed = selected(jobs::public_list(), "city=London");
    BOOST_TEST(rows_read([&] { total(connection, listed, now); }) > 200u);
    BOOST_TEST(recount() > 0u);
    BOOST_TEST(counts_are_used());
    BOOST_TEST(recount() == 0u);
    BOOST_TEST(rows_read([&] { total(connection, listed, now); }) < 150u);
    check_totals(*this);
}

BOOST_AUTO_TEST_SUITE_END()
