// doctor: the database server and the schema.
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "counts/table.h"
#include "ctl/doctor/doctor.h"
#include "db/health.h"
#include "db/migrations.h"
#include "db/servers.h"
#include "resources/tables.h"

namespace tradepost::ctl {
namespace {

bool check_reachable(Context& context, db::Connection& connection, Report& report) {
    const auto& database = context.config().database;
    if (!database.socket.empty() && (database.hosts.empty() || database.reads_locally)) {
        struct stat info {};
        const bool there = stat(database.socket.c_str(), &info) == 0;
        const std::string why = there ? "it is no socket" : std::strerror(errno);
        if (!report.check(there && S_ISSOCK(info.st_mode), "database socket " + database.socket,
                          why + ": start the database, or correct [database] socket"))
            return false;
        if (!report.check(access(database.socket.c_str(), W_OK) == 0, "right to use the database socket",
                          "run this as a user who may write to it, or chmod it"))
            return false;
    }
    try {
        const auto version = connection.query("SELECT VERSION()").at(0).text(0);
        return report.check(true, "database answers: " + std::string(connection.is_mariadb() ? "MariaDB " : "MySQL ") + version,
                            "");
    } catch (const db::Error& error) {
        return report.check(false, "database answers", one_line(error, context.config_path()));
    }
}

// Each server's certificate, if it has one, and each node of a cluster. Replicas of Group Replication are read-only, so one node that takes writes is enough.
void check_nodes(Context& context, Report& report) {
    const auto& database = context.config().database;
    db::Servers servers(database, db::Use::everything);
    bool writable = false;
    for (std::size_t index = 0; index < servers.size(); ++index) {
        const auto node = servers.look_at(index, db::Connection::cluster_read_timeout);
        if (const auto ends = parse_certificate_time(node.certificate_end))
            check_certificate_end("certificate of " + node.name, *ends, context.now(), renew_certificate, report);
        if (database.hosts.empty()) continue;
        writable = writable || node.serves;
        const auto state = node.serves ? std::string("takes writes") : node.why;
        report.check(node.answers && (node.serves || node.why == db::Servers::read_only),
                     "database node " + node.name + ": " + state,
                     "start it, let it join the cluster again, or take it out of hosts of [database]");
    }
    if (!database.hosts.empty())
        report.check(writable, "a database node takes writes",
                     "let a majority of the nodes see each other, or begin the cluster anew");
    if (const auto ends = last_end(database.tls_ca))
        check_certificate_end("certificate in " + database.tls_ca, *ends, context.now(), renew_certificate, report);
}

void check_clock(Context& context, db::Connection& connection, Report& report) {
    const auto begun = context.now();
    const auto theirs = connection.query("SELECT UTC_TIMESTAMP(3)").at(0).time(0);
    const auto difference = std::max(theirs - context.now(), begun - theirs);
    report.check(difference <= std::chrono::seconds(5), "clocks of this host and the database agree",
                 "they differ by " + std::to_string(std::chrono::round<std::chrono::seconds>(difference).count()) +
                     " s: run a time service on both");
}

constexpr const char* unlimited = "18446744073709551615";

void check_server(db::Connection& connection, Report& report) {
    const auto number = [&](const std::string& variable) {
        const auto rows = connection.query("SHOW VARIABLES LIKE '" + variable + "'");
        return rows.empty() ? std::int64_t(-1) : rows[0].integer(1);
    };
    const auto version = connection
                             .query(
                                 "SELECT CAST(SUBSTRING_INDEX(VERSION(), '.', 1) AS UNSIGNED), "
                                 "CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(VERSION(), '.', 2), '.', -1) AS UNSIGNED)")
                             .at(0);
    check_version({connection.is_mariadb(), int(version.integer(0)), int(version.integer(1))}, report);
    report.check(number("max_allowed_packet") >= 16 << 20, "max_allowed_packet",
                 "set it to 64M in the server's configuration: long texts need it");
    report.check(number("innodb_ft_min_token_size") <= 4, "innodb_ft_min_token_size",
                 "search needs 4 or less: set it in the server's configuration, restart it and rebuild the *_search indexes");
    report.check(number("innodb_ft_max_token_size") >= 80, "innodb_ft_max_token_size",
                 "search needs 80 or more (84 is the default): set it, restart the server and rebuild the *_search indexes");
    if (const auto rows = number("wsrep_max_ws_rows"); rows > 0)
        report.warn("a transaction may write " + std::to_string(rows) + " rows (wsrep_max_ws_rows)",
                    "set it to 0 in the configuration of all nodes: larger feeds and imports fail");
    // Neither mariadb-dump nor mysqldump has an option against it.
    const auto limit = connection.query("SELECT @@global.sql_select_limit").at(0).text(0);
    if (limit != unlimited)
        report.warn("a dump of the database has " + limit + " rows of each table (sql_select_limit)",
                    "set sql_select_limit = " + std::string(unlimited) + " in the server's configuration, and back up again");
}

bool is_same_server(const core::Config::Database& one, const core::Config::Database& other) {
    const auto same = [](const core::Config::DatabaseServer& a, const core::Config::DatabaseServer& b) {
        return a.socket == b.socket && (!a.socket.empty() || (a.host == b.host && a.port == b.port));
    };
    return same(one, other) && std::equal(one.hosts.begin(), one.hosts.end(), other.hosts.begin(), other.hosts.end(), same);
}

// Whether the server has enough connections for all instances of this host: those whose configuration is beside this one.
void check_connections(Context& context, db::Connection& connection, Report& report) {
    constexpr std::int64_t reserve = 10;  // for tradepostctl, dumps and administrators
    const auto& own = context.config();
    std::int64_t instances = 0, sum = 0;
    std::error_code unreadable;
    for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(own.path).parent_path(), unreadable)) {
        if (file.path().extension() != ".toml") continue;
        try {
            const auto other = file.path() == own.path ? own : core::load_config(file.path());
            if (!is_same_server(own.database, other.database)) continue;
            ++instances;
            sum += other.database.max_connections;
        } catch (const std::exception& error) {
            report.warn("connections of " + file.path().string() + " are not known", error.what());
        }
    }
    const auto most = connection.query("SHOW VARIABLES LIKE 'max_connections'").at(0).integer(1);
    const auto what = std::to_string(instances) + (instances == 1 ? " instance" : " instances") + " of this host may open " +
                      std::to_string(sum) + " of " + std::to_string(most) + " connections of the database server";
    if (sum + reserve <= most)
        report.check(true, what, "");
    else
        report.warn(what,
                    "set max_connections = " + std::to_string(sum + reserve) +
                        " in the server's configuration, or lower max_connections of [database] in the instances' settings");
}

// Checks the account's limit of connections, and whether the server has refused any.
void check_refused_connections(Context& context, db::Connection& connection, Report& report) {
    constexpr std::int64_t reserve = 3;  // for tradepostctl and dumps
    const auto own = std::int64_t(context.config().database.max_connections);
    const auto most = connection.query("SELECT CAST(@@max_user_connections AS SIGNED)").at(0).integer(0);
    if (most > 0 && most < own + reserve)
        report.warn("the database lets " + context.config().database.user + " have " + std::to_string(most) +
                        " connections, and this instance may open " + std::to_string(own),
                    "let it have " + std::to_string(own + reserve) +
                        ", with ALTER USER … WITH MAX_USER_CONNECTIONS, or set max_connections = " +
                        std::to_string(std::max<std::int64_t>(1, most - reserve)) + " of [database]");
    const auto refused = connection.query("SHOW GLOBAL STATUS LIKE 'Connection_errors_max_connections'");
    if (const auto count = refused.empty() ? 0 : refused[0].integer(1); count > 0)
        report.warn(
            "the database server has refused " + std::to_string(count) + " connections since it started, as all were in use",
            "raise max_connections in the server's configuration, or lower that of those who use it; requests are 503 meanwhile");
}

void check_writes(db::Connection& connection, Report& report) try {
    const auto fault = db::Health(connection).write_fault();
    report.check(fault.empty(), "database takes writes", fault);
} catch (const db::Error& error) {
    constexpr int no_such_table = 1146;  // the check of the schema tells of it
    if (error.code != no_such_table) report.check(false, "database takes writes", error.what());
}

void check_counts(db::Connection& connection, Report& report) {
    for (const auto* table : resources::counted_tables()) {
        const auto scheme = counts::scheme_of(connection, *table);
        const auto found = scheme ? "by scheme " + std::to_string(*scheme) : std::string("not complete");
        report.check(scheme == counts::counting_scheme, "totals of " + std::string(table->name()) + " are kept",
                     "they are " + found + ", and this release counts by scheme " + std::to_string(counts::counting_scheme) +
                         ": run tradepostctl recount --totals; until then lists count their rows, and filters of stock may be "
                         "unavailable");
    }
}

void check_schema(db::Connection& connection, const std::string& sql, Report& report) {
    try {
        const auto state = db::schema_state(connection, db::read_migrations(migrations_directory(sql)));
        const std::string what = "schema " + std::to_string(state.applied) + " of " + std::to_string(state.known);
        if (state.applied > state.known)
            report.check(false, what, "it is newer than this program: run the version that made it, or a later one");
        else if (!state.changed.empty())
            report.check(false, what,
                         state.changed.front() + " differs from what was applied: run the program that belongs to this schema");
        else if (report.check(state.current(), what, "run tradepostctl migrate"))
            check_counts(connection, report);
    } catch (const std::exception& error) {
        report.check(false, "schema", one_line(error, ""));
    }
}

}  // namespace

void check_version(const ServerVersion& server, Report& report) {
    struct Product {
        const char* name;
        std::vector<std::pair<int, int>> tested;  // the oldest first
    };
    static const Product mariadb{"MariaDB", {{10, 11}, {11, 8}}}, mysql{"MySQL", {{8, 0}, {8, 4}, {9, 7}}};
    const auto text = [](int major, int minor) { return std::to_string(major) + "." + std::to_string(minor); };
    const auto& product = server.mariadb ? mariadb : mysql;
    const std::pair version{server.major, server.minor};
    std::string tested;
    for (const auto& one : product.tested) {
        const auto* const before = tested.empty() ? "" : &one == &product.tested.back() ? " and " : ", ";
        tested += before + text(one.first, one.second);
    }
    auto what = std::string("server version ") + product.name + " " + text(server.major, server.minor);
    if (std::find(product.tested.begin(), product.tested.end(), version) == product.tested.end())
        what += ", which is not tested as " + tested + " are";
    const std::pair<int, int> oldest = server.mariadb ? std::pair{10, 6} : std::pair{8, 0};
    report.check(version >= oldest, what, text(oldest.first, oldest.second) + " is the oldest that may work: upgrade the server");
}

bool check_database(Context& context, db::Connection& connection, const std::string& sql, Report& report) {
    if (!check_reachable(context, connection, report)) return false;
    check_nodes(context, report);
    try {
        check_clock(context, connection, report);
        check_server(connection, report);
        check_connections(context, connection, report);
        check_refused_connections(context, connection, report);
    } catch (const db::Error& error) {
        report.check(false, "server settings", one_line(error, context.config_path()));
    }
    check_schema(connection, sql, report);
    check_writes(connection, report);
    return true;
}

}  // namespace tradepost::ctl
