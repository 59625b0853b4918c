// What connections do after a server did not answer in time, and when it answers again.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "support/database.h"
#include "support/database_proxy.h"
#include "support/patience.h"
#include "support/process.h"

using namespace std::chrono_literals;
using namespace tradepost;

namespace {

struct Fixture {
    test::TestDatabase database;
    db::Connection connection{database.config()};
    test::DatabaseProxy proxy{test::impatient(database.config())};
    db::Connection first{proxy.config(), 1s}, second{proxy.config()};
};

bool answers(db::Connection& connection) {
    try {
        return connection.query("SELECT 1").size() == 1;
    } catch (const db::Unavailable&) {
        return false;
    }
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(db_circuit_breaker, Fixture)

BOOST_AUTO_TEST_CASE(a_server_that_timed_out_is_not_asked_until_it_answers_a_probe) {
    first.query("SELECT 1");
    const auto session = second.query("SELECT CONNECTION_ID()").at(0).integer(0);
    proxy.freeze();
    BOOST_CHECK_THROW(first.query("SELECT 1"), db::Unavailable);   // times out
    BOOST_CHECK_THROW(second.query("SELECT 1"), db::Unavailable);  // its probe times out
    for (auto* const one : {&first, &second}) {
        const auto failures = one->errors().unavailable;
        one->reset_spent();
        BOOST_CHECK_THROW(one->query("SELECT 1"), db::Unavailable);
        BOOST_CHECK_THROW(one->execute("DO 0"), db::Unavailable);
        BOOST_CHECK_THROW(one->is_mariadb(), db::Unavailable);
        BOOST_CHECK_THROW(db::Transaction{*one}, db::Unavailable);
        BOOST_TEST(one->spent().count() == 0);  // nothing was sent
        BOOST_TEST(one->errors().unavailable == failures + 4);
    }
    connection.query("SELECT 1");  // the same server, but at another address
    proxy.thaw();
    BOOST_REQUIRE(test::await([&] { return answers(first); }));
    BOOST_TEST(second.query("SELECT CONNECTION_ID()").at(0).integer(0) == session);
    const int before = proxy.accepted();
    BOOST_TEST(answers(first));
    BOOST_TEST(answers(second));
    BOOST_TEST(proxy.accepted() == before);  // no more probes
}

BOOST_AUTO_TEST_CASE(an_open_transaction_outlives_the_time_out_of_another_connection) {
    connection.execute("CREATE TABLE t (id INT PRIMARY KEY)");
    first.query("SELECT 1");
    db::Transaction transaction(second);
    second.execute("INSERT INTO t VALUES (1)");
    proxy.freeze();
    BOOST_CHECK_THROW(first.query("SELECT 1"), db::Unavailable);
    BOOST_CHECK_THROW(first.query("SELECT 1"), db::Unavailable);
    proxy.thaw();
    second.execute("INSERT INTO t VALUES (2)");
    transaction.commit();
    BOOST_TEST(connection.query("SELECT id FROM t").size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_write_survives_a_session_that_was_lost_during_a_time_out) {
    connection.execute("CREATE TABLE t (id INT PRIMARY KEY)");
    first.query("SELECT 1");
    second.query("SELECT 1");
    proxy.freeze();
    BOOST_CHECK_THROW(first.query("SELECT 1"), db::Unavailable);
    proxy.cut();
    proxy.thaw();
    BOOST_TEST(second.execute("INSERT INTO t VALUES (1)") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
