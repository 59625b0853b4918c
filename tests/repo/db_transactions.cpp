// Transactions: all or nothing, and never a success that the server did not confirm.
#define BOOST_TEST_DYN_LINK
#include <barrier>
#include <boost/test/unit_test.hpp>

#include "support/database.h"
#include "support/database_proxy.h"
#include "support/threads.h"

using namespace std::chrono_literals;
using namespace tradepost;

namespace {

struct Fixture {
    test::TestDatabase database;
    db::Connection connection{database.config()};
    db::Connection other{database.config()};

    Fixture() { connection.execute("CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB"); }
    std::int64_t count() { return other.query("SELECT COUNT(*) FROM t").at(0).integer(0); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(db_transactions, Fixture)

BOOST_AUTO_TEST_CASE(commit_and_rollback) {
    {
        db::Transaction transaction(connection);
        BOOST_TEST(connection.in_transaction());
        connection.execute("INSERT INTO t VALUES (1, 1)");
        BOOST_TEST(count() == 0);
        transaction.commit();
        BOOST_TEST(!connection.in_transaction());
        BOOST_CHECK_THROW(transaction.commit(), std::logic_error);
    }
    BOOST_TEST(count() == 1);
    {
        db::Transaction transaction(connection);
        connection.execute("INSERT INTO t VALUES (2, 2)");
    }
    BOOST_TEST(!connection.in_transaction());
    BOOST_TEST(count() == 1);
    connection.execute("INSERT INTO t VALUES (3, 3)");  // on its own again
    BOOST_TEST(count() == 2);
}

BOOST_AUTO_TEST_CASE(not_nested) {
    db::Transaction transaction(connection);
    connection.execute("INSERT INTO t VALUES (1, 1)");
    BOOST_CHECK_THROW(db::Transaction{connection}, std::logic_error);
    transaction.commit();
    BOOST_TEST(count() == 1);
}

BOOST_AUTO_TEST_CASE(a_statement_that_fails_leaves_the_transaction_usable) {
    db::Transaction transaction(connection);
    connection.execute("INSERT INTO t VALUES (1, 1)");
    BOOST_CHECK_THROW(connection.execute("INSERT INTO t VALUES (1, 1)"), db::Error);
    connection.execute("INSERT INTO t VALUES (2, 2)");
    transaction.commit();
    BOOST_TEST(count() == 2);
}

BOOST_AUTO_TEST_CASE(a_lost_connection_ends_it_for_every_later_statement) {
    {
        db::Transaction transaction(connection);
        connection.execute("INSERT INTO t VALUES (1, 1)");
        database.kill(connection);
        BOOST_CHECK_THROW(connection.query("SELECT 1"), db::Unavailable);
        BOOST_CHECK_THROW(connection.query("SELECT 1"), db::Unavailable);
        BOOST_CHECK_THROW(connection.execute("INSERT INTO t VALUES (2, 2)"), db::Unavailable);
        BOOST_CHECK_THROW(connection.is_mariadb(), db::Unavailable);
        BOOST_CHECK_THROW(transaction.commit(), db::Unavailable);
        BOOST_TEST(connection.in_transaction());
    }
    BOOST_TEST(!connection.in_transaction());
    BOOST_TEST(count() == 0);
    BOOST_TEST(connection.query("SELECT 1").size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_commit_that_the_server_did_not_get_throws) {
    {
        db::Transaction transaction(connection);
        connection.execute("INSERT INTO t VALUES (1, 1)");
        database.kill(connection);
        BOOST_CHECK_THROW(transaction.commit(), db::Unavailable);
        BOOST_CHECK_THROW(connection.execute("INSERT INTO t VALUES (2, 2)"), db::Unavailable);
    }
    BOOST_TEST(count() == 0);
    BOOST_CHECK_THROW(db::in_transaction(connection,
                                         [&] {
                                             connection.execute("INSERT INTO t VALUES (1, 1)");
                                             database.kill(connection);
                                         }),
                      db::Unavailable);
    BOOST_TEST(count() == 0);
}

BOOST_AUTO_TEST_CASE(a_commit_whose_answer_is_lost_throws_and_is_not_repeated) {
    test::DatabaseProxy proxy(database.config());
    db::Connection proxied(proxy.config());
    int runs = 0;
    BOOST_CHECK_THROW(db::in_transaction(proxied,
                                         [&] {
                                             ++runs;
                                             proxied.execute("INSERT INTO t VALUES (1, 1)");
                                             proxy.swallow_next_answer();
                                         }),
                      db::Unavailable);
    BOOST_TEST(runs == 1);
    BOOST_TEST(count() == 1);
}

BOOST_AUTO_TEST_CASE(begins_on_a_new_connection_when_the_old_one_is_gone) {
    database.kill(connection);
    db::in_transaction(connection, [&] { connection.execute("INSERT INTO t VALUES (1, 1)"); });
    BOOST_TEST(count() == 1);
}

BOOST_AUTO_TEST_CASE(closing_the_connection_ends_it) {
    {
        db::Transaction transaction(connection);
        connection.execute("INSERT INTO t VALUES (1, 1)");
        connection.close();
        BOOST_CHECK_THROW(connection.execute("INSERT INTO t VALUES (2, 2)"), db::Unavailable);
        BOOST_CHECK_THROW(transaction.commit(), db::Unavailable);
    }
    BOOST_TEST(count() == 0);
}

BOOST_AUTO_TEST_CASE(destructors_of_lost_transactions_do_not_throw) {
    test::DatabaseProxy proxy(database.config());
    db::Connection proxied(proxy.config());
    BOOST_CHECK_NO_THROW({
        db::Transaction transaction(proxied);
        proxied.execute("INSERT INTO t VALUES (1, 1)");
        proxy.cut();
    });
    BOOST_TEST(!proxied.in_transaction());
    BOOST_TEST(proxied.query("SELECT COUNT(*) FROM t").at(0).integer(0) == 0);
}

BOOST_AUTO_TEST_CASE(an_exception_rolls_back) {
    BOOST_CHECK_THROW(db::in_transaction(connection,
                                         [&] {
                                             connection.execute("INSERT INTO t VALUES (1, 1)");
                                             throw std::runtime_error("work failed");
                                         }),
                      std::runtime_error);
    BOOST_TEST(count() == 0);
}

BOOST_AUTO_TEST_CASE(deadlocks_are_run_again) {
    connection.execute("INSERT INTO t VALUES (1, 0), (2, 0)");
    std::barrier both(2);
    std::atomic<int> runs{0};
    const auto work = [&](db::Connection& with, int first, int second) {
        bool wait = true;
        test::Participant participant(both);
        return db::in_transaction(with, [&] {
            ++runs;
            with.execute("UPDATE t SET n = n + 1 WHERE id = ?", {first});
            if (std::exchange(wait, false)) participant.arrive_and_wait();
            with.execute("UPDATE t SET n = n + 1 WHERE id = ?", {second});
            return first;
        });
    };
    int results[2] = {};
    test::Thread one([&] { results[0] = work(connection, 1, 2); });
    test::Thread two([&] { results[1] = work(other, 2, 1); });
    one.join();
    two.join();
    BOOST_TEST(results[0] == 1);
    BOOST_TEST(results[1] == 2);
    BOOST_TEST(runs == 3);
    BOOST_TEST(connection.query("SELECT SUM(n) FROM t WHERE n = 2").at(0).integer(0) == 4);
}

BOOST_AUTO_TEST_CASE(a_deadlock_that_is_caught_inside_commits_nothing_later) {
    connection.execute("INSERT INTO t VALUES (1, 0), (2, 0)");
    std::barrier both(2);
    std::atomic<int> victims{0};
    const auto work = [&](db::Connection& with, int first, int second) {
        test::Participant participant(both);
        db::Transaction transaction(with);
        with.execute("UPDATE t SET n = 1 WHERE id = ?", {first});
        participant.arrive_and_wait();
        try {
            with.execute("UPDATE t SET n = 1 WHERE id = ?", {second});
        } catch (const db::Error& error) {
            if (!error.is_retryable()) return;
            ++victims;
            try {
                with.execute("INSERT INTO t VALUES (?, 0)", {first + 10});
            } catch (const db::Error& again) {
                if (again.code != error.code) ++victims;
            }
        }
    };
    test::Thread one([&] { work(connection, 1, 2); });
    test::Thread two([&] { work(other, 2, 1); });
    one.join();
    two.join();
    BOOST_TEST(victims == 1);
    BOOST_TEST(count() == 2);
}

BOOST_AUTO_TEST_CASE(lock_waits_end_and_the_transaction_is_run_again) {
    connection.execute("INSERT INTO t VALUES (1, 0)");
    auto held = std::make_optional<db::Transaction>(other);
    other.execute("UPDATE t SET n = 5 WHERE id = 1");
    db::Connection impatient(database.config(), 3s);  // waits a second for a row
    int runs = 0;
    db::in_transaction(impatient, [&] {
        if (++runs == 2) held.reset();
        impatient.execute("UPDATE t SET n = n + 1 WHERE id = 1");
    });
    BOOST_TEST(runs == 2);
    BOOST_TEST(impatient.query("SELECT n FROM t").at(0).integer(0) == 1);
}

BOOST_AUTO_TEST_CASE(it_is_not_run_again_for_ever) {
    const auto runs_with = [&](std::optional<std::chrono::seconds> patience) {
        int runs = 0;
        const auto always_deadlocked = [&] {
            ++runs;
            connection.execute("SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'made up'");
        };
        BOOST_CHECK_THROW(db::in_transaction(connection, always_deadlocked, patience), db::Error);
        BOOST_TEST(!connection.in_transaction());
        return runs;
    };
    BOOST_TEST(runs_with({}) == 10);
    BOOST_TEST(runs_with(-1s) == 1);
}

BOOST_AUTO_TEST_CASE(readers_see_what_others_have_committed) {
    db::Transaction transaction(connection);
    BOOST_TEST(connection.query("SELECT COUNT(*) FROM t").at(0).integer(0) == 0);
    other.execute("INSERT INTO t VALUES (1, 1)");
    BOOST_TEST(connection.query("SELECT COUNT(*) FROM t").at(0).integer(0) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
