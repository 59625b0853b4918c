// doctor: the database server and the schema.
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "ctl/doctor.h"
#include "db/migrations.h"
#include "db/servers.h"
#include "lists/recount.h"
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

// Replicas of Group Replication are read-only, so one node that takes writes is enough.
void check_nodes(Context& context, Report& report) {
    const auto& database = context.config().database;
    if (database.hosts.empty()) return;
    db::Servers servers(database, db::Use::everything);
    bool writable = false;
    for (std::size_t index = 0; index < servers.size(); ++index) {
        const auto node = servers.look_at(index, db::Connection::cluster_read_timeout);
        writable = writable || node.serves;
        const auto state = node.serves ? std::string("takes writes") : node.why;
        report.check(node.answers && (node.serves || node.why == db::Servers::read_only),
                     "database node " + node.name + ": " + state,
                     "start it, let it join the cluster again, or take it out of hosts of [database]");
    }
    report.check(writable, "a database node takes writes",
                 "let a majority of the nodes see each other, or begin the cluster anew");
}

void check_clock(Context& context, db::Connection& connection, Report& report) {
    const auto begun = context.now();
    const auto theirs = connection.query("SELECT UTC_TIMESTAMP(3)").at(0).time(0);
    const auto difference = std::max(theirs - context.now(), begun - theirs);
    report.check(difference <= std::chrono::seconds(5), "clocks of this host and the database agree",
                 "they differ by " + std::to_string(std::chrono::round<std::chrono::seconds>(difference).count()) +
                     " s: run a time service on both");
}

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
}

void check_counts(db::Connection& connection, Report& report) {
    for (const auto* table : resources::counted_tables()) {
        const auto scheme = lists::scheme_of(connection, *table);
        const auto found = scheme ? "by scheme " + std::to_string(*scheme) : std::string("not complete");
        report.check(scheme == lists::counting_scheme, "totals of " + std::string(table->name()) + " are kept",
                     "they are " + found + ", and this release counts by scheme " + std::to_string(lists::counting_scheme) +
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
    static const Product mariadb{"MariaDB", {{10, 11}, {11, 8}}}, mysql{"MySQL", {{9, 7}}};
    const auto text = [](int major, int minor) { return std::to_string(major) + "." + std::to_string(minor); };
    const auto& product = server.mariadb ? mariadb : mysql;
    const std::pair version{server.major, server.minor};
    std::string tested;
    for (const auto& [major, minor] : product.tested) tested += (tested.empty() ? "" : " and ") + text(major, minor);
    auto what = std::string("server version ") + product.name + " " + text(server.major, server.minor);
    if (std::find(product.tested.begin(), product.tested.end(), version) == product.tested.end())
        what += ", which is not tested as " + tested + (product.tested.size() > 1 ? " are" : " is");
    const std::pair<int, int> oldest = server.mariadb ? std::pair{10, 6} : std::pair{8, 0};
    report.check(version >= oldest, what, text(oldest.first, oldest.second) + " is the oldest that may work: upgrade the server");
}

bool check_database(Context& context, db::Connection& connection, const std::string& sql, Report& report) {
    if (!check_reachable(context, connection, report)) return false;
    check_nodes(context, report);
    try {
        check_clock(context, connection, report);
        check_server(connection, report);
    } catch (const db::Error& error) {
        report.check(false, "server settings", one_line(error, context.config_path()));
    }
    check_schema(connection, sql, report);
    return true;
}

}  // namespace tradepost::ctl
