// Whether the database can serve: a server that is read-only for others may take the writes of this user.
#define BOOST_TEST_DYN_LINK
#include "db/health.h"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "support/database.h"

using namespace tradepost;

namespace {

struct Fixture {
    test::MigratedDatabase database;
    db::Connection connection{database.config()};
    db::Health health{connection};

    std::int64_t leases() { return connection.query("SELECT COUNT(*) FROM leases").at(0).integer(0); }
};

// A global setting of the server, which others need as it was.
class Set {
public:
    Set(db::Connection& connection, const std::string& name) : connection_(connection), name_(name) {
        connection_.execute("SET GLOBAL " + name_ + " = 1");
    }
    ~Set() {
        connection_.execute("SET GLOBAL " + name_ + " = 0");
        connection_.execute("SET GLOBAL read_only = 0");  // which MySQL has set with super_read_only
    }
    Set(const Set&) = delete;
    Set& operator=(const Set&) = delete;

private:
    db::Connection& connection_;
    const std::string name_;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(health, Fixture)

BOOST_AUTO_TEST_CASE(nothing_is_written) {
    BOOST_TEST(health.fault() == "");
    BOOST_TEST(health.write_fault() == "");
    BOOST_TEST(leases() == 0);
}

// The user of the tests is an administrator.
BOOST_AUTO_TEST_CASE(an_administrator_writes_to_a_read_only_server) {
    const Set set(connection, "read_only");
    BOOST_TEST(health.fault() == "");
    BOOST_TEST(health.write_fault() == "");
    BOOST_TEST(leases() == 0);
}

BOOST_AUTO_TEST_CASE(nobody_writes_otherwise) {
    db::Connection administrator(database.config());
    std::vector<std::string> settings{administrator.is_mariadb() ? "tx_read_only" : "transaction_read_only"};
    if (!administrator.is_mariadb()) settings.emplace_back("super_read_only");
    for (const auto& name : settings) BOOST_TEST_CONTEXT(name) {
            const Set set(administrator, name);
            connection.close();  // a session keeps what it found
            for (const auto& fault : {health.fault(), health.write_fault()})
                BOOST_TEST(fault.starts_with("the database is read-only: "), fault);
        }
    connection.close();
    BOOST_TEST(health.fault() == "");
}

BOOST_AUTO_TEST_SUITE_END()
