#include "db/session.h"

#include <cppconn/exception.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>
#include <mysql_connection.h>
#include <mysql_driver.h>
#include <unistd.h>

#include <algorithm>

#include "core/host.h"
#include "db/connection.h"
#include "db/failure.h"

namespace tradepost::db {
namespace {

bool needs_tls(const core::Config::DatabaseServer& server) {
    return server.socket.empty() && !core::is_this_host(server.host);
}

sql::ConnectOptionsMap options(const core::Config::Database& config, const core::Config::DatabaseServer& server,
                               std::chrono::seconds read_timeout) {
    sql::ConnectOptionsMap map;
    map["hostName"] = sql::SQLString(name(server));
    map["userName"] = sql::SQLString(config.user);
    map["password"] = sql::SQLString(config.password);
    map["schema"] = sql::SQLString(config.name);
    map["OPT_CHARSET_NAME"] = sql::SQLString("utf8mb4");
    map["OPT_CONNECT_TIMEOUT"] = static_cast<int>(config.connect_timeout.count());
    map["OPT_READ_TIMEOUT"] = static_cast<int>(read_timeout.count());
    map["OPT_WRITE_TIMEOUT"] = static_cast<int>(std::min(config.answer_timeout / 2, read_timeout).count());
    map["OPT_LOCAL_INFILE"] = 0;      // else a server could ask for any file of ours
    map["CLIENT_FOUND_ROWS"] = true;  // an UPDATE counts the rows it matched
    if (needs_tls(server)) {
        // Without a CA this asks for TLS but does not insist (see check_encrypted); with one it does, and checks the name.
        map["sslEnforce"] = true;
        if (!config.tls_ca.empty()) {
            map["sslCA"] = sql::SQLString(config.tls_ca);
            map["sslVerify"] = true;
        }
    }
    return map;
}

// Sent after the connector's own settings (it asks for REPEATABLE READ at every connect). No NO_BACKSLASH_ESCAPES and no
// ANSI_QUOTES in the mode: the literals of statement.cpp depend on it.
void set_up(sql::Statement& statement, std::chrono::seconds read_timeout, std::chrono::seconds answer_timeout) {
    const auto shorter = std::max<std::int64_t>(1, read_timeout.count() - 2);  // than the read time-out, to get an answer
    statement.execute(
        "SET NAMES utf8mb4, time_zone = '+00:00', autocommit = 1, "
        "sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', "
        "innodb_lock_wait_timeout = " +
        std::to_string(std::min<std::int64_t>(shorter, answer_timeout.count() - 3)) +
        ", lock_wait_timeout = " + std::to_string(shorter) +
        // A digest has all items of a list in one text. MySQL would cut it off at 1,024 bytes.
        ", group_concat_max_len = 16777216" +
        // On since MariaDB 11.6.2. A statement that reads the newest rows would then fail where rows changed after the snapshot of
        // the transaction (error 1020).
        " /*M!110602 , innodb_snapshot_isolation = OFF */");
    statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
}

void check_encrypted(sql::Statement& statement) {
    const std::unique_ptr<sql::ResultSet> result(statement.executeQuery("SHOW SESSION STATUS LIKE 'Ssl_cipher'"));
    if (!result->next() || result->getString(2).length() == 0) {
        throw Error(0, "the database server is on another host and does not offer TLS: enable TLS there, or use a local socket");
    }
}

}  // namespace

std::string name(const core::Config::DatabaseServer& server) {
    if (!server.socket.empty()) return "unix://" + server.socket;
    // The client library takes "localhost" for the default Unix socket, whatever port is named.
    const std::string host = server.host.empty() || server.host == "localhost" ? "127.0.0.1" : server.host;
    const bool ipv6 = host.find(':') != std::string::npos;
    return "tcp://" + (ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(server.port);
}

void Session::close() noexcept {
    statement.reset();
    session.reset();
    its_place = ConnectionPlace();
}

sql::Driver& driver() {
    static sql::Driver& only = *sql::mysql::get_driver_instance();
    return only;
}

std::unique_ptr<sql::Connection> open_session(const core::Config::Database& config, const core::Config::DatabaseServer& server,
                                              std::chrono::seconds read_timeout) {
    if (needs_tls(server) && !config.tls_ca.empty() && access(config.tls_ca.c_str(), R_OK) != 0) {
        throw Error(0, "cannot read the file that database.tls_ca names: " + config.tls_ca);
    }
    try {
        auto map = options(config, server, read_timeout);
        std::unique_ptr<sql::Connection> session(driver().connect(map));
        const std::unique_ptr<sql::Statement> statement(session->createStatement());
        set_up(*statement, read_timeout, config.answer_timeout);
        if (needs_tls(server)) check_encrypted(*statement);
        return session;
    } catch (const sql::SQLException& error) {
        make_failure(error.getErrorCode(), error.what(), "connect to " + name(server)).raise();
    }
}

}  // namespace tradepost::db
