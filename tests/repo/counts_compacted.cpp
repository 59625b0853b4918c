// Removing rows of counts that say nothing, while writers add to them.
#include "counts/compact.h"
#include "repo/counted_jobs.h"
#include "support/threads.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

struct Fixture : CountedJobs {
    void add(db::Connection& with, int cell, int shard, int n) {
        with.execute(
            "INSERT INTO list_counts (list, filter, measure, bucket, shard, n) VALUES ('test', REPEAT('f', 16), 1, ?, ?, ?) ON "
            "DUPLICATE KEY UPDATE n = n + VALUES(n)",
            {cell, shard, n});
    }
    std::string rows() {
        return connection
            .query(
                "SELECT COALESCE(GROUP_CONCAT(bucket, ':', shard, '=', n ORDER BY bucket, shard), '') FROM list_counts WHERE "
                "list = 'test'")
            .at(0)
            .text(0);
    }
    std::int64_t useless() {
        return connection.query("SELECT COUNT(*) - COUNT(DISTINCT list, filter, measure, bucket) + SUM(n = 0) FROM list_counts")
            .at(0)
            .integer(0);
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(counts_compacted, Fixture)

BOOST_AUTO_TEST_CASE(zeros_go_and_shards_are_added_up) {
    for (const auto& [cell, shard, n] : std::vector<std::tuple<int, int, int>>{
             {1, 0, 5}, {2, 3, 0}, {3, 1, 2}, {3, 4, 3}, {4, 0, 2}, {4, 9, -2}, {5, 0, 0}, {5, 1, 7}, {6, 2, 0}, {6, 5, 0}})
        add(connection, cell, shard, n);
    BOOST_TEST(counts::compact(connection) == 7u);
    BOOST_TEST(rows() == "1:0=5,3:1=5,5:0=7");
    BOOST_TEST(counts::compact(connection) == 0u);
    BOOST_TEST(counts_are_used());
}

BOOST_AUTO_TEST_CASE(more_than_one_transaction_takes) {
    for (int cell = 0; cell < 450; ++cell) add(connection, cell, 0, cell % 3 == 0), add(connection, cell, 1, cell % 3 == 0);
    BOOST_TEST(counts::compact(connection) == 750u);
    BOOST_TEST(useless() == 0);
}

BOOST_AUTO_TEST_CASE(what_a_writer_holds_is_left_out) {
    add(connection, 1, 0, 0);
    add(connection, 2, 0, 0);
    add(connection, 3, 0, 1);
    add(connection, 3, 1, 1);
    db::Connection writer(database.config());
    db::Transaction transaction(writer);
    add(writer, 1, 0, 4);
    add(writer, 3, 1, 4);
    connection.execute("SET innodb_lock_wait_timeout = 1");
    BOOST_TEST(counts::compact(connection) == 1u);
    transaction.commit();
    BOOST_TEST(rows() == "1:0=4,3:0=1,3:1=5");
    BOOST_TEST(counts::compact(connection) == 1u);
    BOOST_TEST(rows() == "1:0=4,3:0=6");
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_of_what_writers_add_meanwhile) {
    constexpr int writers = 4, cells = 6;
    std::vector<std::vector<std::int64_t>> sums(writers, std::vector<std::int64_t>(cells));
    std::atomic<int> writing = writers;
    std::vector<test::Thread> threads;
    for (int i = 0; i < writers; ++i)
        threads.emplace_back([&, i] {
            const std::shared_ptr<void> end(nullptr, [&](void*) { --writing; });
            db::Connection own(database.config());
            std::mt19937 numbers{unsigned(i)};
            std::vector<std::int64_t> mine(cells);
            for (int round = 0; round < 300; ++round) {
                auto next = mine;
                db::in_transaction(
                    own,
                    [&] {
                        next = mine;
                        for (int cell = 0; cell < cells; ++cell) {
                            // Often back to nothing.
                            const auto n = numbers() % 2 ? -next[std::size_t(cell)] : std::int64_t(numbers() % 5);
                            add(own, cell, i, int(n));
                            next[std::size_t(cell)] += n;
                        }
                    },
                    60s);
                mine = next;
            }
            sums[std::size_t(i)] = mine;
        });
    std::vector<jobs::Job> all;
    for (int i = 0; i < 20; ++i) all.push_back(job());
    threads.emplace_back([&] {
        db::Connection own(database.config());
        std::mt19937 numbers{9};
        while (writing > 0) {
            auto one = all[numbers() % all.size()];
            one.status = numbers() % 2 ? "DRAFT" : "PUBLISHED";
            write(own, {one});
        }
    });
    std::uint64_t removed = 0;
    while (writing > 0) removed += counts::compact(connection);
    for (auto& thread : threads) thread.join();
    BOOST_TEST(removed > 0u);

    counts::compact(connection);
    BOOST_TEST(useless() == 0);
    for (int cell = 0; cell < cells; ++cell) {
        std::int64_t expected = 0;
        for (const auto& sum : sums) expected += sum[std::size_t(cell)];
        BOOST_TEST(
            connection
                .query("SELECT CAST(COALESCE(SUM(n), 0) AS SIGNED) FROM list_counts WHERE list = 'test' AND bucket = ?", {cell})
                .at(0)
                .integer(0) == expected);
    }
    counts_are_right();
}

BOOST_AUTO_TEST_SUITE_END()
