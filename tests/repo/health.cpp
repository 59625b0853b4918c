// Whether the database can serve: a server that is read-only for others may take the writes of this user.
#define BOOST_TEST_DYN_LINK
#include "db/health.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "repo/application.h"
#include "support/case_match.h"

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
    Set(db::Connection& connection, const std::string& name, const std::string& value = "1")
        : connection_(connection), name_(name), before_(connection.query("SELECT @@global." + name).at(0).text(0)) {
        connection_.execute("SET GLOBAL " + name_ + " = " + value);
    }
    ~Set() {
        connection_.execute("SET GLOBAL " + name_ + " = " + before_);
        connection_.execute("SET GLOBAL read_only = 0");  // which MySQL has set with super_read_only
    }
    Set(const Set&) = delete;
    Set& operator=(const Set&) = delete;

private:
    db::Connection& connection_;
    const std::string name_, before_;
};

std::string signal(int code, const std::string& text) {
    return "SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = " + std::to_string(code) + ", MESSAGE_TEXT = '" + text + "'";
}

// What Galera answers to a transaction above wsrep_max_ws_rows or wsrep_max_ws_size, and MySQL above max_binlog_cache_size.
const std::vector<std::string> too_large{signal(1180, "wsrep_max_ws_rows exceeded"),
                                         signal(1105, "Maximum writeset size exceeded"),
                                         signal(1197, "Multi-statement transaction required more")};

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

// Servers with a binary log alone refuse it.
BOOST_AUTO_TEST_CASE(nobody_writes_to_a_log_of_statements) {
    db::Connection administrator(database.config());
    const bool has_log = administrator.query("SELECT @@log_bin").at(0).boolean(0);
    const Set set(administrator, "binlog_format", "STATEMENT");
    connection.close();
    for (const auto& fault : {health.fault(), health.write_fault()})
        BOOST_TEST(fault.starts_with("the database has binlog_format = STATEMENT") == has_log, fault);
    BOOST_CHECK_EXCEPTION(connection.execute(signal(1665, "Cannot execute statement")), db::Unavailable, [](const auto& error) {
        return db::refused_write(error).find("run SET GLOBAL binlog_format = ROW") != std::string::npos;
    });
    BOOST_CHECK_EXCEPTION(connection.execute(signal(1146, "No table")), db::Error,
                          [](const auto& error) { return db::refused_write(error).empty(); });
}

// The server has rolled back, so what follows must not be sent.
BOOST_AUTO_TEST_CASE(a_transaction_that_is_too_large_is_over) {
    for (const auto& statement : too_large) BOOST_TEST_CONTEXT(statement) {
            const auto is_told = [](const db::Error& error) { return error.code == db::transaction_too_large; };
            const auto is_available = [](const db::Error& error) { return !dynamic_cast<const db::Unavailable*>(&error); };
            const db::Transaction transaction(connection);
            for (const auto& each : {statement, std::string("DELETE FROM leases WHERE FALSE")})
                BOOST_CHECK_EXCEPTION(connection.execute(each), db::Error,
                                      [&](const auto& error) { return is_told(error) && is_available(error); });
        }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(refused_feeds, test::ApplicationFixture)

// 503 with Retry-After would have the client send the same feed for ever.
BOOST_AUTO_TEST_CASE(a_feed_that_is_too_large_for_a_transaction_is_not_to_be_repeated) {
    db::Connection connection(config.database);
    const core::ManualClock clock{*core::parse_rfc3339("2026-03-01T12:00:00Z")};
    for (const auto& statement : too_large) BOOST_TEST_CONTEXT(statement) {
            connection.execute("CREATE TRIGGER refuse BEFORE INSERT ON stock_items FOR EACH ROW " + statement);
            App app(config, clock, limiter);
            http::Request request;
            request.method = "PUT";
            request.target = "/api/v1/stock/feed";
            request.headers = {{"authorization", "Bearer " + test::fixture_token("ashford-admin")},
                               {"content-type", "application/x-ndjson"}};
            request.body = R"({"reference": "L-1", "title": "Loader", "make": "Case", "model": "5"})";
            const auto response = app.handle(request);
            connection.execute("DROP TRIGGER refuse");
            BOOST_TEST(response.status == 413, response.body);
            BOOST_TEST(nlohmann::json::parse(response.body)["error"] == "Request body too large");
            BOOST_TEST(!response.header("Retry-After"));
        }
}

BOOST_AUTO_TEST_SUITE_END()
