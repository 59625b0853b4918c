// The counts that writers keep of jobs: after whatever happens they are what the rows say, and totals are what SQL counts.
#include <barrier>

#include "repo/counted_jobs.h"

using namespace tradepost;
using namespace tradepost::test;

BOOST_FIXTURE_TEST_SUITE(counts_of_jobs, CountedJobs)

BOOST_AUTO_TEST_CASE(counts_follow_every_write) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 120; ++i) all.push_back(job());
    write(all);
    check_totals(*this);
    for (int round = 0; round < 12; ++round) {
        db::in_transaction(connection, [&] {
            repo::JobWriter writer(connection);
            std::vector<domain::Job> batch;
            for (int i = 0; i < 9; ++i) change(all[std::size_t(round * 9 + i)]), batch.push_back(all[std::size_t(round * 9 + i)]);
            batch.push_back(job());
            writer.write(batch);
            writer.write(std::span(&batch[0], 1));  // twice in one transaction
            writer.remove(batch[1].id);
            writer.remove(Uuid::v7(now));
            writer.finish();
        });
        repo::Organisations(connection).set_published(organisations[std::size_t(round % 2)], round % 4 > 1, now);
        check_totals(*this);
    }
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_rolled_back_is_not_counted) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 40; ++i) all.push_back(job());
    write(all);
    {
        db::Transaction transaction(connection);
        write(connection, {job(), job()});
    }
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
    check_totals(*this);
}

BOOST_AUTO_TEST_CASE(writers_that_race_leave_exact_counts) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 30; ++i) all.push_back(job());
    write(all);
    std::vector<std::vector<domain::Job>> changes(4);
    for (auto& mine : changes)
        for (int i = 0; i < 40; ++i) {
            auto item = all[std::size_t(below(30))];
            if (i % 10 == 0) item = job();
            change(item);
            mine.push_back(item);
        }
    std::vector<std::thread> threads;
    for (const auto& mine : changes)
        threads.emplace_back([&] {
            db::Connection own(database.config());
            for (const auto& item : mine)
                for (bool done = false; !done;) try {
                        db::in_transaction(
                            own, [&] { write(own, {item}); }, 60s);
                        done = true;
                    } catch (const db::Error& error) {
                        if (!error.is_duplicate_key()) throw;
                    }
        });
    for (auto& thread : threads) thread.join();
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
    check_totals(*this);
}

BOOST_AUTO_TEST_CASE(two_who_write_one_new_id_count_it_once) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 40; ++i) all.push_back(job());
    std::barrier both(2);
    const auto write_all = [&] {
        db::Connection own(database.config());
        own.query("SELECT 1");
        for (const auto& item : all) {
            both.arrive_and_wait();
            for (bool done = false; !done;) try {
                    db::in_transaction(
                        own, [&] { write(own, {item}); }, 60s);
                    done = true;
                } catch (const db::Error& error) {
                    if (!error.is_duplicate_key()) throw;
                }
        }
    };
    std::thread other(write_all);
    write_all();
    other.join();
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
}

BOOST_AUTO_TEST_CASE(totals_read_counts_and_not_rows) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 3000; ++i) {
        all.push_back(job());
        all.back().expires_at.reset();
    }
    write(all);
    for (const auto& sample : samples(organisations[0])) {
        if (sample.filter.departments.size() + sample.filter.contract_types.size() + sample.filter.cities.size() == 3) continue;
        BOOST_TEST(rows_read([&] { jobs.count(sample.filter, now); }) < 150u, sample.where);
    }
}

BOOST_AUTO_TEST_CASE(a_page_far_on_is_found_without_walking_there) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 6000; ++i) {
        all.push_back(job());
        if (i % 50) all.back().expires_at.reset();
        if (i % 3 == 0) all.back().published_at = now - 1h;  // an import's
        if (i % 7 == 0) all.back().published_at = core::Time(-1h * (i + 1));
        if (all.back().status == "DRAFT") all.back().published_at.reset();
    }
    write(all);
    for (const auto& sample : samples(organisations[0])) {
        const auto count = jobs.count(sample.filter, now);
        const auto expected =
            connection.query("SELECT id FROM jobs WHERE " + shown + sample.where + " ORDER BY published_at DESC, id DESC");
        for (const std::int64_t offset : {999, 1000, 1001, 1500, 2500, 3333, 4000, 5000}) {
            const auto page = jobs.page(sample.filter, count, {offset, 5}, now);
            const auto size = std::clamp<std::int64_t>(std::int64_t(expected.size()) - offset, 0, 5);
            BOOST_REQUIRE(std::int64_t(page.size()) == size);
            for (std::int64_t i = 0; i < size; ++i)
                BOOST_TEST((page[std::size_t(i)].id == expected[std::size_t(offset + i)].uuid(0)));
        }
    }
    const auto count = jobs.count({}, now);
    BOOST_TEST(rows_read([&] { jobs.page({}, count, {count.total - 20, 20}, now); }) < 2500u);
}

BOOST_AUTO_TEST_SUITE_END()
