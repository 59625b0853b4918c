// Counts of jobs that time or hands have made wrong: expiry, unlisting, recounts.
#include "repo/counted_jobs.h"

using namespace tradepost;
using namespace tradepost::test;

BOOST_FIXTURE_TEST_SUITE(counts_mended, CountedJobs)

BOOST_AUTO_TEST_CASE(an_expired_job_is_taken_off_at_once_and_unlisted_later) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 150; ++i) all.push_back(job());
    write(all);
    const auto listed_and_expired = counted("listed = 1 AND expires_at <= '2026-06-01 12:00:00'");
    BOOST_REQUIRE(listed_and_expired > 0);
    BOOST_TEST(jobs.count({}, now).expired == listed_and_expired);
    const auto total = jobs.count({}, now).total;
    const auto later = now + 10s;
    BOOST_TEST(repo::unlist_expired_jobs(connection, later, 2) == 2u);
    while (repo::unlist_expired_jobs(connection, later, 3) > 0) {
    }
    BOOST_TEST(jobs.count({}, now).expired == 0);
    BOOST_TEST(jobs.count({}, now).total == total);
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
    check_totals(*this);

    // What gets another time is listed again.
    for (auto& item : all) item.expires_at.reset();
    write(all);
    check_totals(*this);
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
}

BOOST_AUTO_TEST_CASE(unlisting_leaves_what_another_host_may_still_show) {
    auto item = job();
    item.status = "PUBLISHED";
    item.published_at = now - 1h;
    item.expires_at = now;
    write({item});
    BOOST_TEST(repo::unlist_expired_jobs(connection, now + 4999ms, 10) == 0u);
    BOOST_TEST(repo::unlist_expired_jobs(connection, now + 5s, 10) == 1u);
}

BOOST_AUTO_TEST_CASE(unlisting_is_due_when_many_have_expired) {
    std::vector<domain::Job> all;
    const auto expire = [&](int count) {
        for (int i = 0; i < count; ++i) {
            all.push_back(job());
            all.back().status = "PUBLISHED";
            all.back().published_at = now - 1h;
            all.back().expires_at = now - 1min;
        }
        write(all);
    };
    expire(int(repo::few_expired_jobs));
    jobs.count({}, now);
    BOOST_TEST(!jobs.unlisting_is_due());
    expire(201);
    jobs.count({}, now);
    BOOST_TEST(jobs.unlisting_is_due());
    jobs.unlist_expired(now);
    BOOST_TEST(!jobs.unlisting_is_due());
    BOOST_TEST(jobs.count({}, now).expired == repo::few_expired_jobs + 1);
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
}

BOOST_AUTO_TEST_CASE(recount_mends_what_was_changed_by_hand_while_others_write) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 100; ++i) all.push_back(job());
    write(all);
    connection.execute("DELETE FROM job_search");
    connection.execute("DELETE FROM jobs LIMIT 20");
    connection.execute("UPDATE jobs SET listed = 0 WHERE listed = 1 LIMIT 10");
    const auto more = job();
    bool written = false;
    BOOST_TEST(repo::recount_jobs(connection, [&](std::size_t) {
                   if (std::exchange(written, true)) return;
                   db::Connection other(database.config());
                   db::in_transaction(other, [&] { write(other, {more}); });
               }) > 0u);
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
}

BOOST_AUTO_TEST_CASE(two_who_recount_at_once_do_not_add_the_same_twice) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 50; ++i) all.push_back(job());
    write(all);
    connection.execute("DELETE FROM list_counts WHERE measure <> 255");
    std::thread other;
    repo::recount_jobs(connection, [&](std::size_t) {
        if (other.joinable()) return;
        other = std::thread([&] {
            db::Connection second(database.config());
            repo::recount_jobs(second);
        });
    });
    other.join();
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
}

BOOST_AUTO_TEST_CASE(rows_are_counted_while_counts_are_not_complete) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 60; ++i) all.push_back(job());
    write(all);
    BOOST_TEST(repo::totals_are_kept(connection));
    connection.execute("DELETE FROM list_counts");
    BOOST_TEST(!repo::totals_are_kept(connection));
    check_totals(*this);
    BOOST_TEST(repo::recount_jobs(connection) > 0u);
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
    check_totals(*this);
}

BOOST_AUTO_TEST_SUITE_END()
