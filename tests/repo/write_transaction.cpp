// What a WriteTransaction does for its writers: counts and versions, once, at the end, and again with the whole.
#include "repo/counted_jobs.h"
#include "support/put.h"
#include "support/rolled_back.h"
#include "support/threads.h"
#include "versions/collection_versions.h"
#include "writes/transaction.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

struct Fixture : CountedJobs {
    std::uint64_t version(std::string_view collection) { return versions::CollectionVersions(connection).version(collection); }
    std::int64_t counted_in(std::string_view list) {
        return connection.query("SELECT COALESCE(SUM(n), 0) FROM list_counts WHERE list = ? AND measure = 7", {list})
            .at(0)
            .integer(0);
    }
    static void add(writes::WriteTransaction& transaction, std::string_view list) {
        transaction.counts(list).add({counts::key_of({}), 7, 0}, 1);
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(write_transaction, Fixture)

BOOST_AUTO_TEST_CASE(a_version_rises_once_a_transaction) {
    writes::write(connection, [](writes::WriteTransaction& transaction) {
        transaction.changed("jobs");
        transaction.changed("posts");
        transaction.changed("jobs");
    });
    BOOST_TEST(version("jobs") == 1u);
    BOOST_TEST(version("posts") == 1u);
    BOOST_TEST(version("events") == 0u);
    rolled_back(connection, [](writes::WriteTransaction& transaction) { transaction.changed("jobs"); });
    BOOST_TEST(version("jobs") == 1u);
}

BOOST_AUTO_TEST_CASE(writers_of_one_list_share_its_counts) {
    const std::vector<jobs::Job> some{job(), job()};
    writes::write(connection, [&](writes::WriteTransaction& transaction) {
        test::put<jobs::Job>(transaction, std::span(&some[0], 1));
        test::put<jobs::Job>(transaction, some);
        test::drop<jobs::Job>(transaction, some[1].id);
    });
    BOOST_TEST(version("jobs") == 1u);
    counts_are_right();
}

BOOST_AUTO_TEST_CASE(nothing_of_an_attempt_that_failed_is_left) {
    int attempts = 0;
    const auto result = writes::write(connection, [&](writes::WriteTransaction& transaction) {
        BOOST_TEST(transaction.attempt() == ++attempts);
        add(transaction, "jobs");
        if (attempts == 1) {
            transaction.changed("jobs");
            throw db::Error(1062, "somebody took the key");
        }
        return attempts;
    });
    BOOST_TEST(result == 2);
    BOOST_TEST(counted_in("jobs") == 1);
    BOOST_TEST(version("jobs") == 0u);
}

BOOST_AUTO_TEST_CASE(a_deadlock_begins_again_and_a_key_that_stays_taken_ends) {
    int attempts = 0;
    writes::write(connection, [&](writes::WriteTransaction& transaction) {
        add(transaction, "jobs");
        if (++attempts < 3) throw db::Error(1213, "deadlock");
    });
    BOOST_TEST(attempts == 3);
    BOOST_TEST(counted_in("jobs") == 1);

    attempts = 0;
    const auto taken = [&](writes::WriteTransaction&) {
        ++attempts;
        throw db::Error(1062, "taken");
    };
    BOOST_CHECK_THROW(writes::write(connection, taken), db::Error);
    BOOST_TEST(attempts == 5);
    BOOST_CHECK_THROW(writes::write(connection, taken, {.attempts = 1}), db::Error);
    BOOST_TEST(attempts == 6);
}

// Two who meet several lists in different orders wait for each other at most.
BOOST_AUTO_TEST_CASE(counts_are_written_in_one_order) {
    const auto both = [](writes::WriteTransaction& transaction, bool forth) {
        add(transaction, forth ? "jobs" : "posts");
        add(transaction, forth ? "posts" : "jobs");
    };
    writes::write(connection, [&](writes::WriteTransaction& transaction) { both(transaction, true); });  // the rows are there
    std::atomic<std::uint64_t> conflicts = 0;
    std::vector<test::Thread> threads;
    for (const bool forth : {true, false})
        threads.emplace_back([&, forth] {
            db::Connection own(database.config());
            for (int n = 0; n < 200; ++n)
                writes::write(own, [&](writes::WriteTransaction& transaction) { both(transaction, forth); });
            conflicts += own.errors().conflict;
        });
    for (auto& thread : threads) thread.join();
    BOOST_TEST(conflicts == 0u);
    BOOST_TEST(counted_in("jobs") == 401);
    BOOST_TEST(counted_in("posts") == 401);
}

BOOST_AUTO_TEST_SUITE_END()
