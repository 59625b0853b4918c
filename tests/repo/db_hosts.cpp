// Servers of `database.hosts`: which one a connection uses, and how it moves to another one. Two ways to one server stand for two nodes;
// what nodes of Galera and Group Replication do is seen by `make check-cluster`.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdint>
#include <optional>

#include "db/connection.h"
#include "support/database.h"
#include "support/database_proxy.h"
#include "support/patience.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

struct Fixture {
    Fixture() {
        config.hosts = {first.config(), second.config()};
        connection.emplace(config, db::Connection::cluster_read_timeout);
        connection->execute("CREATE TABLE moved (n INT NOT NULL PRIMARY KEY) ENGINE=InnoDB");
    }
    static std::int64_t read(db::Connection& from) { return from.query("SELECT 1").at(0).integer(0); }
    std::int64_t rows() { return connection->query("SELECT COUNT(*) FROM moved").at(0).integer(0); }

    test::TestDatabase database;
    core::Config::Database config = test::impatient(database.config());
    test::DatabaseProxy first{database.config()}, second{database.config()};
    std::optional<db::Connection> connection;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(db_hosts, Fixture)

BOOST_AUTO_TEST_CASE(the_first_one_that_serves_is_used) {
    BOOST_TEST(connection->is_cluster());
    BOOST_TEST(first.accepted() == 1);
    BOOST_TEST(second.accepted() == 0);
}

BOOST_AUTO_TEST_CASE(a_server_that_hangs_is_left_and_passed_over) {
    static_assert(db::Connection::cluster_read_timeout == 2s);
    first.freeze();
    BOOST_TEST(read(*connection) == 1);
    BOOST_TEST(second.accepted() == 1);
    // A frozen proxy still accepts connections, so that one more attempt would be counted.
    const int tried = first.accepted();
    BOOST_TEST(read(*connection) == 1);
    db::Connection another(config, db::Connection::cluster_read_timeout);
    BOOST_TEST(read(another) == 1);
    BOOST_TEST(first.accepted() == tried);
    BOOST_TEST(second.accepted() == 2);
}

// Its limit ended it, which says nothing of the server.
BOOST_AUTO_TEST_CASE(a_search_that_overruns_its_limit_costs_no_server) {
    first.freeze();
    BOOST_CHECK_THROW(connection->query_within(1500ms, "SELECT 1", {}), db::Unavailable);
    BOOST_TEST(second.accepted() == 0);
    first.thaw();
    BOOST_TEST(connection->query("SELECT 1").at(0).integer(0) == 1);
    BOOST_TEST(second.accepted() == 0);
}

// The codes of servers that are out of their cluster or have no room.
BOOST_AUTO_TEST_CASE(another_server_answers_what_one_cannot) {
    for (const int code : {1047, 1180, 1114, 3796, 3797, 3799}) {
        db::Connection own(database.config());
        BOOST_CHECK_THROW(own.execute("SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = " + std::to_string(code)), db::Unavailable);
    }
}

BOOST_AUTO_TEST_CASE(a_conflict_between_nodes_is_tried_again) {
    for (const char* code : {"1213", "3101"}) {
        int attempts = 0;
        db::in_transaction(*connection, [&] {
            if (++attempts == 1) connection->execute("SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = " + std::string(code));
        });
        BOOST_TEST(attempts == 2);
    }
}

BOOST_AUTO_TEST_CASE(a_transaction_goes_on_with_another_server_when_its_own_is_lost) {
    int attempts = 0;
    db::in_transaction(*connection, [&] {
        connection->execute("INSERT INTO moved VALUES (1)");
        if (++attempts == 1) first.cut();
        connection->execute("INSERT INTO moved VALUES (2)");
    });
    BOOST_TEST(attempts == 2);
    BOOST_TEST(rows() == 2);
}

// It may have taken effect.
BOOST_AUTO_TEST_CASE(a_commit_without_an_answer_is_not_repeated) {
    int attempts = 0;
    BOOST_CHECK_THROW(db::in_transaction(*connection,
                                         [&] {
                                             ++attempts;
                                             connection->execute("INSERT INTO moved VALUES (1)");
                                             first.swallow_next_answer();
                                         }),
                      db::Unavailable);
    BOOST_TEST(attempts == 1);
}

BOOST_AUTO_TEST_SUITE_END()
