#include "db/health.h"

#include <algorithm>
#include <array>

#include "core/version.h"

namespace tradepost::db {
namespace {

// "UPDATE leases …" on such a server: read_only and super_read_only; the session's transactions; a replica that applies changes of
// others; InnoDB without its log, or with innodb_force_recovery.
constexpr auto read_only_codes = std::to_array<int>({1290, 1792, 1836, 1036, 1874, 1881, 3100});

// READ COMMITTED, which all sessions use, and a binary log of statements.
constexpr int needs_log_of_rows = 1665;

}  // namespace

std::int64_t Health::applied() try {
    return connection_.query("SELECT COALESCE(MAX(number), 0) FROM schema_migrations").at(0).integer(0);
} catch (const db::Error& error) {
    constexpr int no_such_table = 1146;
    if (error.code != no_such_table) throw;
    return 0;
}

std::string Health::fault() try {
    // Set on a replica, during a failover, or by an administrator. What they mean for this user only the server knows.
    const std::string of_transactions = connection_.is_mariadb() ? "@@tx_read_only" : "@@transaction_read_only";
    const auto row = connection_
                         .query(
                             "SELECT COALESCE(MAX(number), 0), @@global.read_only, @@global.innodb_read_only, "
                             "@@global.innodb_force_recovery, @@global.log_bin AND @@session.binlog_format = 'STATEMENT', " +
                             of_transactions + " FROM schema_migrations")
                         .at(0);
    const auto applied = row.integer(0);
    if (applied < needed_migration)
        return "the schema is at step " + std::to_string(applied) + " of " + std::to_string(needed_migration) +
               "; run tradepostctl migrate";
    for (std::size_t column = 1; column < row.columns(); ++column)
        if (const auto& value = row.text(column); value != "0" && value != "OFF")
            return fault_of("DELETE FROM leases WHERE FALSE");
    return {};
} catch (const db::Unavailable&) {
    throw;
} catch (const db::Error& error) {
    return std::string(error.what()) + "; run tradepostctl migrate";
}

std::string Health::write_fault() {
    return fault_of(
        "INSERT INTO leases (name, holder, token, expires_at) VALUES ('a test', 'doctor', REPEAT('0', 16), UTC_TIMESTAMP(3)) "
        "ON DUPLICATE KEY UPDATE holder = VALUES(holder)");
}

std::string Health::fault_of(const char* statement) try {
    const Transaction rolled_back(connection_);
    connection_.execute(statement);
    return {};
} catch (const db::Error& error) {
    auto text = refused_write(error);
    if (text.empty()) throw;
    return text;
}

std::string refused_write(const Error& error) {
    std::string text(error.what());
    text.resize(std::min(text.size(), text.find("): ") + 1));  // without the statement
    if (error.code == needs_log_of_rows)
        return "the database has binlog_format = STATEMENT, with which it refuses writes (1665); run SET GLOBAL binlog_format = "
               "ROW, set it in the "
               "server's configuration too, and restart the instance";
    if (std::find(read_only_codes.begin(), read_only_codes.end(), error.code) == read_only_codes.end()) return {};
    return "the database is read-only: " + text +
           "; SHOW VARIABLES LIKE '%read_only' tells why. Let [database] name the server that takes writes, or run SET GLOBAL "
           "read_only = OFF there";
}

std::string version_line(const char* program) {
    return std::string(program) + " " + core::version + " (schema " + std::to_string(Health::needed_migration) + ")";
}

}  // namespace tradepost::db
