// The counts that writers keep of jobs: after whatever happens they are what the rows say, and totals are what SQL counts.
#include <barrier>

#include "repo/counted_jobs.h"
#include "resources/accounts/publication.h"
#include "support/put.h"
#include "support/rolled_back.h"
#include "support/threads.h"

using namespace tradepost;
using namespace tradepost::test;

BOOST_FIXTURE_TEST_SUITE(counts_of_jobs, CountedJobs)

BOOST_AUTO_TEST_CASE(counts_follow_every_write) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 120; ++i) all.push_back(job());
    write(all);
    check_totals(*this);
    for (int round = 0; round < 12; ++round) {
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            std::vector<jobs::Job> batch;
            for (int i = 0; i < 9; ++i) change(all[std::size_t(round * 9 + i)]), batch.push_back(all[std::size_t(round * 9 + i)]);
            batch.push_back(job());
            test::put<jobs::Job>(transaction, batch);
            test::put<jobs::Job>(transaction, std::span(&batch[0], 1));  // twice in one transaction
            test::drop<jobs::Job>(transaction, batch[1].id);
            test::drop<jobs::Job>(transaction, Uuid::v7(now));
        });
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            accounts::set_published(transaction, organisations[std::size_t(round % 2)], round % 4 > 1, now);
        });
        check_totals(*this);
    }
    BOOST_TEST(recount() == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_rolled_back_is_not_counted) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 40; ++i) all.push_back(job());
    write(all);
    rolled_back(connection, [&](writes::WriteTransaction& transaction) {
        const std::vector<jobs::Job> undone{job(), job()};
        test::put<jobs::Job>(transaction, undone);
    });
    BOOST_TEST(recount() == 0u);
    check_totals(*this);
}

BOOST_AUTO_TEST_CASE(writers_that_race_leave_exact_counts) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 30; ++i) all.push_back(job());
    write(all);
    std::vector<std::vector<jobs::Job>> changes(4);
    for (auto& mine : changes)
        for (int i = 0; i < 40; ++i) {
            auto item = all[std::size_t(below(30))];
            if (i % 10 == 0) item = job();
            change(item);
            mine.push_back(item);
        }
    std::vector<test::Thread> threads;
    for (const auto& mine : changes)
        threads.emplace_back([&] {
            db::Connection own(database.config());
            for (const auto& item : mine) write(own, {item});
        });
    for (auto& thread : threads) thread.join();
    BOOST_TEST(recount() == 0u);
    check_totals(*this);
}

BOOST_AUTO_TEST_CASE(two_who_write_one_new_id_count_it_once) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 40; ++i) all.push_back(job());
    std::barrier both(2);
    const auto write_all = [&] {
        test::Participant participant(both);
        db::Connection own(database.config());
        own.query("SELECT 1");
        for (const auto& item : all) {
            participant.arrive_and_wait();
            write(own, {item});
        }
    };
    test::Thread other(write_all);
    write_all();
    other.join();
    BOOST_TEST(recount() == 0u);
}

BOOST_AUTO_TEST_CASE(totals_read_counts_and_not_rows) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 3000; ++i) {
        all.push_back(job());
        all.back().expires_at.reset();
    }
    write(all);
    for (const auto& sample : samples(organisations[0])) {
        if (std::count(sample.query.begin(), sample.query.end(), '=') == 3 && sample.query.starts_with("department")) continue;
        const auto selection = selected(jobs::public_list(), sample.query);
        BOOST_TEST(rows_read([&] { total(connection, selection, now); }) < 150u, sample.where);
    }
}

BOOST_AUTO_TEST_CASE(a_page_far_on_is_found_without_walking_there) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 6000; ++i) {
        all.push_back(job());
        if (i % 50) all.back().expires_at.reset();
        if (i % 3 == 0) all.back().published_at = now - 1h;  // an import's
        if (i % 7 == 0) all.back().published_at = core::Time(-1h * (i + 1));
        if (all.back().status == "DRAFT") all.back().published_at.reset();
    }
    write(all);
    for (const auto& sample : samples(organisations[0]))
        check_list(connection, selected(jobs::public_list(), sample.query),
                   select("SELECT id FROM jobs WHERE " + shown + sample.where + " ORDER BY published_at DESC, id DESC"), now,
                   {999, 1000, 1001, 1500, 2500, 3333, 4000, 5000}, 5);
    const auto everything = selected(jobs::public_list(), "");
    const auto known = total(connection, everything, now);
    BOOST_TEST(rows_read([&] { read(connection, everything, {known.rows - 20, 20}, now, &known); }) < 2500u);
}

// Drafts have no time of publication, by which the counts tell where a page far on begins.
BOOST_AUTO_TEST_CASE(members_see_every_job_once_drafts_included) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 1110; ++i) {
        all.push_back(job());
        all.back().organisation.id = organisations[0];
        all.back().status = i % 11 == 0 && i < 1100 ? "DRAFT" : "PUBLISHED";
        all.back().published_at = all.back().status == "DRAFT" ? std::nullopt : std::optional(now - 1min * below(500000));
    }
    write(all);
    BOOST_REQUIRE(counted("status = 'DRAFT'") == 100);
    std::vector<Uuid> seen;
    for (int page = 1; page <= 12; ++page) {
        const auto found =
            read(connection, jobs::member_list(), "limit=100&page=" + std::to_string(page), now, {organisations[0]});
        BOOST_TEST(found.total.rows == 1110);
        BOOST_TEST(found.rows.size() == (page == 12 ? 10u : 100u), "page " << page);
        for (const auto& id : ids(found)) seen.push_back(id);
    }
    BOOST_CHECK(seen == select("SELECT id FROM jobs ORDER BY published_at DESC, id DESC"));
}

BOOST_AUTO_TEST_SUITE_END()
