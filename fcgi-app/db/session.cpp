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

// Whether a connection is refused unless it is encrypted. Any other one by TCP is encrypted if the server offers it, as it may insist. In a
// cluster tls_ca is for the nodes on other hosts.
bool needs_tls(const core::Config::Database& config, const core::Config::DatabaseServer& server) {
    if (!server.socket.empty()) return false;
    return !core::is_this_host(server.host) || (!config.tls_ca.empty() && config.hosts.empty());
}

// All settings of a session on whose values answers depend, since an administrator may choose others for new sessions. One statement, the first
// one of the session: the connector's own that follow would fail with some of those. MariaDB skips the comments of MySQL, and MySQL
// those of MariaDB. Every user may set these. The administrator limits memory and disk space.
std::string settings(std::chrono::seconds read_timeout, std::chrono::seconds answer_timeout) {
    const auto shorter = std::max<std::int64_t>(1, read_timeout.count() - 2);  // than the read time-out, to get an answer
    // Without a collation, the server's settings choose how literals compare.
    return "SET NAMES utf8mb4 COLLATE utf8mb4_general_ci, time_zone = '+00:00', autocommit = 1, completion_type = 'NO_CHAIN', "
           // No NO_BACKSLASH_ESCAPES and no ANSI_QUOTES: the literals of statement.cpp depend on it.
           "sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', "
           "foreign_key_checks = 1, unique_checks = 1, sql_auto_is_null = 0, "
           // Otherwise the server may refuse statements that read much, leave out rows, or order texts by their beginnings.
           "sql_safe_updates = 0, sql_big_selects = 1, sql_select_limit = 18446744073709551615, max_sort_length = 1024, "
           // A digest has all items of a list in one text. MySQL would cut it off at 1,024 bytes.
           "group_concat_max_len = 16777216, "
           // For the full-text indexes that migrations create. A list of stopwords would hide words that people search.
           "innodb_ft_enable_stopword = 0, "
           // make_failure() removes values from the errors' English texts.
           "lc_messages = 'en_US', "
           // A command may compute for long between two statements of a transaction.
           "wait_timeout = 28800, net_read_timeout = 30, net_write_timeout = 60, "
           "innodb_lock_wait_timeout = " +
           std::to_string(std::min<std::int64_t>(shorter, answer_timeout.count() - 3)) +
           ", lock_wait_timeout = " + std::to_string(shorter) +
           " /*M!100300 , max_statement_time = 0, idle_transaction_timeout = 0, idle_readonly_transaction_timeout = 0, "
           "idle_write_transaction_timeout = 0 */"
           // On since MariaDB 11.6.2. A statement that reads the newest rows would then fail where rows changed after the snapshot of
           // the transaction (error 1020).
           " /*M!110602 , innodb_snapshot_isolation = OFF */"
           " /*!50720 , max_execution_time = 0 */";
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
    map["preInit"] = sql::SQLString(settings(read_timeout, config.answer_timeout));
    map["OPT_LOCAL_INFILE"] = 0;      // else a server could ask for any file of ours
    map["CLIENT_FOUND_ROWS"] = true;  // an UPDATE counts the rows it matched
    if (server.socket.empty()) {
        // Without a CA this asks for TLS but does not insist (see check_encrypted); with one it does, and checks the name.
        map["sslEnforce"] = true;
        if (!config.tls_ca.empty() && needs_tls(config, server)) {
            map["sslCA"] = sql::SQLString(config.tls_ca);
            map["sslVerify"] = true;
        }
    }
    return map;
}

void check_encrypted(sql::Statement& statement) {
    const std::unique_ptr<sql::ResultSet> result(statement.executeQuery("SHOW SESSION STATUS LIKE 'Ssl_cipher'"));
    if (!result->next() || result->getString(2).length() == 0) {
        throw Error(0,
                    "the database server does not offer TLS, which it needs on another host or with tls_ca: enable TLS there, or "
                    "use a local socket");
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
    const bool must_be_encrypted = needs_tls(config, server);
    if (must_be_encrypted && !config.tls_ca.empty() && access(config.tls_ca.c_str(), R_OK) != 0) {
        throw Error(0, "cannot read the file that database.tls_ca names: " + config.tls_ca);
    }
    try {
        auto map = options(config, server, read_timeout);
        std::unique_ptr<sql::Connection> session(driver().connect(map));
        const std::unique_ptr<sql::Statement> statement(session->createStatement());
        statement->execute(
            "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");  // the connector has asked for REPEATABLE READ
        if (must_be_encrypted) check_encrypted(*statement);
        return session;
    } catch (const sql::SQLException& error) {
        make_failure(error.getErrorCode(), error.what(), "connect to " + name(server)).raise();
    }
}

}  // namespace tradepost::db
