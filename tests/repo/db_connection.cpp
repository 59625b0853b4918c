// One connection: its session, its errors, and servers that are away, slow or gone in the middle.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "support/database.h"
#include "support/database_proxy.h"
#include "support/patience.h"
#include "support/server_settings.h"

using namespace std::chrono_literals;
using namespace tradepost;

namespace {

struct Fixture {
    test::TestDatabase database;
    db::Connection connection{database.config()};

    std::int64_t count(const char* table = "t") {
        return connection.query("SELECT COUNT(*) FROM " + std::string(table)).at(0).integer(0);
    }
    void make_table() { connection.execute("CREATE TABLE t (id INT PRIMARY KEY, n INT)"); }
};

template <class Work>
int error_code(Work&& work) {
    try {
        work();
    } catch (const db::Error& error) {
        return error.code;
    }
    return 0;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(db_connection, Fixture)

// Whatever the server has for new sessions (server_settings.h).
BOOST_AUTO_TEST_CASE(every_session_has_our_settings) {
    db::Connection administrator(database.config());
    const auto check = [](db::Connection& c) {
        int checked = 0;
        for (const auto& setting : test::server_settings()) BOOST_TEST_CONTEXT(setting.name) {
                if (!test::has(c, setting)) continue;
                const auto scopes =
                    c.query("SELECT @@session." + std::string(setting.seen_as) + ", @@global." + setting.name).at(0);
                BOOST_TEST(scopes.text(0) == setting.in_session);
                if (setting.unusual && setting.name == setting.seen_as) BOOST_TEST(scopes.text(1) != setting.in_session);
                ++checked;
            }
        BOOST_TEST(checked >= 25);
    };
    db::Connection usual(test::impatient(database.config()));
    check(usual);
    usual.close();
    check(usual);
    database.kill(usual);
    check(usual);
    BOOST_TEST(usual.patience().count() == 6);
}

// The waits for locks, by answer_timeout_s and by a shorter read time-out.
BOOST_AUTO_TEST_CASE(a_session_waits_less_than_its_read_takes) {
    const auto check = [](db::Connection& c, int row_lock, int lock) {
        const auto row = c.query("SELECT @@innodb_lock_wait_timeout, @@lock_wait_timeout").at(0);
        BOOST_TEST(row.integer(0) == row_lock);
        BOOST_TEST(row.integer(1) == lock);
    };
    auto config = database.config();
    config.answer_timeout = 30s;
    db::Connection patient(config), hurried(config, 3s);
    check(patient, 27, 28);
    check(hurried, 1, 1);
    BOOST_TEST(patient.patience().count() == 28);
}

BOOST_AUTO_TEST_CASE(strict_mode_cuts_nothing_off) {
    connection.execute("CREATE TABLE s (a VARCHAR(3) PRIMARY KEY, n TINYINT)");
    BOOST_TEST(error_code([&] { connection.execute("INSERT INTO s (a) VALUES ('four')"); }) == 1406);
    BOOST_TEST(error_code([&] { connection.execute("INSERT INTO s VALUES ('x', 300)"); }) == 1264);
    BOOST_TEST(count("s") == 0);
}

BOOST_AUTO_TEST_CASE(execute_counts_matched_rows) {
    make_table();
    BOOST_TEST(connection.execute("INSERT INTO t VALUES (1, 5), (2, 5), (3, 6)") == 3u);
    BOOST_TEST(connection.execute("UPDATE t SET n = 5 WHERE n = 5") == 2u);
    BOOST_TEST(connection.execute("UPDATE t SET n = 7 WHERE id = 9") == 0u);
    BOOST_TEST(connection.execute("DELETE FROM t WHERE n = ?", {5}) == 2u);
}

BOOST_AUTO_TEST_CASE(errors_have_their_codes_and_no_values) {
    make_table();
    connection.execute("INSERT INTO t VALUES (1, 1)");
    try {
        connection.execute("INSERT INTO t (id, n) VALUES (?, ?)", {1, 987654321});
        BOOST_ERROR("no exception");
    } catch (const db::Error& error) {
        const std::string text = error.what();
        BOOST_TEST(error.is_duplicate_key());
        BOOST_TEST(text.find("1062") != std::string::npos);
        BOOST_TEST(text.find("INSERT INTO t (id, n) VALUES (?, ?)") != std::string::npos);
        BOOST_TEST(text.find("987654321") == std::string::npos);
    }
    BOOST_TEST(error_code([&] { connection.query("SELECT x FROM nowhere"); }) == 1146);
    BOOST_TEST(error_code([&] { connection.query("SELEC"); }) == 1064);
    BOOST_TEST(count() == 1);
}

BOOST_AUTO_TEST_CASE(one_statement_at_a_time) {
    make_table();
    BOOST_TEST(error_code([&] { connection.query("SELECT 1; DELETE FROM t"); }) == 1064);
    BOOST_TEST(error_code([&] { connection.execute("INSERT INTO t VALUES (1, 1); DELETE FROM t"); }) == 1064);
    BOOST_CHECK_THROW(connection.execute("SELECT 1"), std::logic_error);
    BOOST_CHECK_THROW(connection.query("DELETE FROM t"), std::exception);
    BOOST_TEST(count() == 0);
    BOOST_CHECK_THROW(connection.execute("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE t"), db::Error);
}

BOOST_AUTO_TEST_CASE(nobody_listens) {
    auto config = database.config();
    config.socket += ".missing";
    db::Connection away(config);
    for (int i = 0; i < 2; ++i) {
        BOOST_CHECK_THROW(away.query("SELECT 1"), db::Unavailable);
        BOOST_CHECK_THROW(away.execute("DO 0"), db::Unavailable);
        BOOST_CHECK_THROW(db::Transaction{away}, db::Unavailable);
        BOOST_TEST(!away.in_transaction());
    }
}

BOOST_AUTO_TEST_CASE(wrong_password_is_an_error_that_does_not_show_it) {
    auto config = database.config();
    config.user = "nobody_at_all";
    config.password = "correct-horse";
    try {
        db::Connection(config).query("SELECT 1");
        BOOST_ERROR("no exception");
    } catch (const db::Error& error) {
        BOOST_TEST(std::string(error.what()).find("correct-horse") == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(a_silent_server_is_unavailable) {
    const auto impatient = test::impatient(database.config());
    test::DatabaseProxy silent(impatient);
    silent.freeze();
    BOOST_CHECK_THROW(db::Connection(silent.config(), 1s).query("SELECT 1"), db::Unavailable);
    test::DatabaseProxy proxy(impatient);
    db::Connection later(proxy.config(), 3s);
    later.query("SELECT 1");
    const int before = proxy.accepted();
    proxy.freeze();
    BOOST_CHECK_THROW(later.query("SELECT 1"), db::Unavailable);
    proxy.thaw();
    BOOST_TEST(later.query("SELECT 2").at(0).integer(0) == 2);
    BOOST_TEST(proxy.accepted() == before + 2);  // the probe and a new session: not tried a second time after the time-out
}

BOOST_AUTO_TEST_CASE(a_slow_statement_is_unavailable_and_the_next_one_gets_its_own_answer) {
    db::Connection impatient(database.config(), 3s);
    BOOST_CHECK_THROW(impatient.query("SELECT SLEEP(9)"), db::Unavailable);
    BOOST_TEST(impatient.query("SELECT 2").at(0).integer(0) == 2);
}

BOOST_AUTO_TEST_CASE(reads_survive_a_lost_connection) {
    database.kill(connection);
    BOOST_TEST(connection.query("SELECT 1").at(0).integer(0) == 1);
    test::DatabaseProxy proxy(database.config());
    db::Connection proxied(proxy.config());
    BOOST_TEST(proxied.query("SELECT 1").at(0).integer(0) == 1);
    proxy.cut();
    BOOST_TEST(proxied.query("SELECT 2").at(0).integer(0) == 2);
    proxy.swallow_next_answer();
    BOOST_TEST(proxied.query("SELECT 3").at(0).integer(0) == 3);
    BOOST_TEST(proxy.accepted() == 3);
}

BOOST_AUTO_TEST_CASE(writes_are_never_sent_twice) {
    make_table();
    connection.execute("INSERT INTO t VALUES (1, 0)");
    test::DatabaseProxy proxy(database.config());
    db::Connection proxied(proxy.config());
    proxied.query("SELECT 1");
    proxy.swallow_next_answer();
    BOOST_CHECK_THROW(proxied.execute("UPDATE t SET n = n + 1"), db::Unavailable);
    BOOST_TEST(connection.query("SELECT n FROM t").at(0).integer(0) == 1);
    connection.execute("INSERT INTO t VALUES (2, 2)");
    if (connection.is_mariadb()) {  // MySQL has no statement that writes and returns rows
        proxied.query("SELECT 1");
        proxy.swallow_next_answer();
        BOOST_CHECK_THROW(proxied.query("INSERT INTO t VALUES (3, 3) RETURNING id"), db::Unavailable);
        BOOST_TEST(connection.execute("DELETE FROM t WHERE id = 3") == 1u);
    }
    proxied.query("SELECT 1");
    proxy.cut();
    BOOST_CHECK_THROW(proxied.execute("UPDATE t SET n = n + 1"), db::Unavailable);
    BOOST_TEST(proxied.execute("UPDATE t SET n = n + 1") == 2u);
}

BOOST_AUTO_TEST_CASE(a_write_after_a_pause_finds_a_connection_that_the_server_has_closed) {
    make_table();
    connection.query("SELECT 1");
    database.kill(connection);
    std::this_thread::sleep_for(1100ms);  // the pause is what is tested
    BOOST_TEST(connection.execute("INSERT INTO t VALUES (1, 1)") == 1u);
}

BOOST_AUTO_TEST_CASE(query_within_a_limit) {
    connection.execute("CREATE TABLE big (i INT PRIMARY KEY)");
    connection.execute(
        "INSERT INTO big WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i FROM n");
    const auto limited = [&](std::chrono::milliseconds limit, const char* sql, std::vector<db::Value> values) {
        try {
            connection.query_within(limit, sql, values);
        } catch (const db::Error& error) {
            return error.is_timeout();
        }
        return false;
    };
    BOOST_TEST(limited(100ms, "SELECT COUNT(*) FROM big a, big b, big c, big d WHERE a.i + b.i + c.i + d.i > ?", {0}));
    BOOST_TEST(!limited(10s, "  select COUNT(*) FROM big WHERE i > ?", {5}));
    const std::vector<db::Value> values{"a'b"};
    BOOST_TEST(connection.query_within(5s, "SELECT ?", values).at(0).text(0) == "a'b");
    // The limit was that statement's.
    const auto* of_session = connection.is_mariadb() ? "SELECT @@max_statement_time = 0" : "SELECT @@max_execution_time = 0";
    BOOST_TEST(connection.query(of_session).at(0).boolean(0));
    BOOST_CHECK_THROW(connection.query_within(1s, "DELETE FROM big", {}), std::logic_error);
    BOOST_CHECK_THROW(connection.query_within(0ms, "SELECT 1", {}), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_server_on_another_host_needs_tls) {
    test::DatabaseProxy proxy(database.config(), test::DatabaseProxy::Listen::tcp);
    db::Connection local(proxy.config());
    BOOST_TEST(local.query("SELECT 1").at(0).integer(0) == 1);
    auto config = proxy.config();
    config.host = "2130706433";  // 127.0.0.1 in another spelling: not known to be this host
    // Newer servers make a certificate for themselves.
    const bool has_certificate = !local.is_mariadb() || local.query("SELECT @@have_ssl").at(0).text(0) == "YES";
    if (has_certificate)
        BOOST_TEST(db::Connection(config).query("SHOW SESSION STATUS LIKE 'Ssl_cipher'").at(0).text(1) != "");
    else
        BOOST_CHECK_THROW(db::Connection(config).query("SELECT 1"), db::Error);
    config.tls_ca = "/nonexistent/ca.pem";
    try {
        db::Connection(config).query("SELECT 1");
        BOOST_ERROR("no exception");
    } catch (const db::Error& error) {
        BOOST_TEST(std::string(error.what()).find("tls_ca") != std::string::npos);
    }
}

// A server in a container, or behind a tunnel. tests/run gives it a certificate of its own for this host.
BOOST_AUTO_TEST_CASE(tls_on_this_host) {
    const auto certificate = connection.query("SELECT @@global.ssl_cert").at(0).opt_text(0).value_or("");
    if (!certificate.starts_with("/")) return;
    test::DatabaseProxy proxy(database.config(), test::DatabaseProxy::Listen::tcp);
    const std::string user = database.config().name;
    connection.execute("CREATE USER " + user + "@localhost IDENTIFIED BY 'Abc-12345' REQUIRE SSL");
    auto config = proxy.config();
    config.user = user;
    config.name = "information_schema";  // which every user may read
    config.password = "Abc-12345";
    const auto is_encrypted = [&] {
        return db::Connection(config).query("SHOW SESSION STATUS LIKE 'Ssl_cipher'").at(0).text(1) != "";
    };
    BOOST_TEST(is_encrypted());  // the account requires it
    config.tls_ca = certificate;
    BOOST_TEST(is_encrypted());
    config.tls_ca = "/nonexistent/ca.pem";
    BOOST_CHECK_EXCEPTION(is_encrypted(), db::Error, [](const db::Error& error) {
        return std::string(error.what()).starts_with("cannot read the file that database.tls_ca names");
    });
    // Of another CA, for both accounts.
    config.tls_ca = (std::filesystem::temp_directory_path() / (user + ".pem")).string();
    BOOST_REQUIRE(
        std::system(("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=other "
                     "-keyout /dev/null -out " +
                     config.tls_ca + " 2>/dev/null")
                        .c_str()) == 0);
    for (const auto& [name, password] :
         {std::pair{user, config.password}, {database.config().user, database.config().password}}) {
        config.user = name;
        config.password = password;
        BOOST_TEST(error_code(is_encrypted) == 2026, name);
    }
    // In a cluster it is for the other hosts.
    config.hosts = {{.socket = {}, .host = "192.0.2.1", .port = 3306}};
    config.reads_locally = true;
    db::Connection local(config, db::Connection::cluster_read_timeout, nullptr, db::Use::reads);
    BOOST_TEST(local.query("SELECT 1").at(0).integer(0) == 1);
    std::filesystem::remove(config.tls_ca);
    connection.execute("DROP USER " + user + "@localhost");
}

BOOST_AUTO_TEST_CASE(time_with_the_server_is_added_up) {
    BOOST_TEST(connection.spent().count() == 0);
    connection.query("SELECT SLEEP(0.05)");
    BOOST_TEST(connection.spent().count() >= 50000);
    connection.reset_spent();
    BOOST_TEST(connection.spent().count() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
