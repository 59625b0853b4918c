// doctor
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "ctl/commands.h"
#include "ctl/output.h"
#include "db/migrations.h"
#include "limits/redis.h"

namespace tradepost::ctl {
namespace {

// One line a check: "ok   what" or "FAIL what: what to do".
class Report {
public:
    explicit Report(bool json) : json_(json) {}
    bool check(bool good, const std::string& what, const std::string& remedy) {
        failed_ = failed_ || !good;
        checks_.push_back({{"ok", good}, {"check", what}, {"remedy", good ? Json() : Json(remedy)}});
        if (!json_) std::cout << (good ? "ok   " + what : "FAIL " + what + ": " + remedy) << std::endl;
        return good;
    }
    int finish() const {
        if (json_) print(checks_);
        return failed_ ? 1 : 0;
    }

private:
    bool json_, failed_ = false;
    Json checks_ = Json::array();
};

std::string reason() {
    return std::strerror(errno);
}

bool check_configuration(Context& context, Report& report) {
    const std::string path = context.config_path();
    try {
        context.config();
    } catch (const core::ConfigError& error) {
        return report.check(false, "configuration", one_line(error, path));
    }
    report.check(true, "configuration " + context.config().path, "");
    struct stat info {};
    const bool closed = stat(path.c_str(), &info) == 0 && (info.st_mode & S_IRWXO) == 0;
    const bool secret = !context.config().database.password.empty();
    report.check(closed || !secret, "nobody else reads the configuration", "it holds a password: chmod o-rwx " + path);
    return true;
}

bool check_reachable(Context& context, db::Connection& connection, Report& report) {
    const auto& database = context.config().database;
    if (!database.socket.empty()) {
        struct stat info {};
        const bool there = stat(database.socket.c_str(), &info) == 0;
        const std::string why = there ? "it is no socket" : reason();
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

void check_server(Context& context, db::Connection& connection, Report& report) {
    const auto number = [&](const std::string& variable) {
        const auto rows = connection.query("SHOW VARIABLES LIKE '" + variable + "'");
        return rows.empty() ? std::int64_t(-1) : rows[0].integer(1);
    };
    const auto version = connection
                             .query(
                                 "SELECT CAST(SUBSTRING_INDEX(VERSION(), '.', 1) AS UNSIGNED), "
                                 "CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(VERSION(), '.', 2), '.', -1) AS UNSIGNED)")
                             .at(0);
    const auto major = version.integer(0), minor = version.integer(1);
    const bool known = connection.is_mariadb() ? major > 10 || (major == 10 && minor >= 6) : major >= 8;
    report.check(known, "server version", "MariaDB 10.6 or MySQL 8.0 is the oldest that is known to work: upgrade the server");
    report.check(number("max_allowed_packet") >= 16 << 20, "max_allowed_packet",
                 "set it to 64M in the server's configuration: long texts need it");
    report.check(number("innodb_ft_min_token_size") <= 4, "innodb_ft_min_token_size",
                 "search needs 4 or less: set it in the server's configuration, restart it and rebuild the *_search indexes");
    report.check(number("innodb_ft_max_token_size") >= 80, "innodb_ft_max_token_size",
                 "search needs 80 or more (84 is the default): set it, restart the server and rebuild the *_search indexes");
    const auto begun = context.now();
    const auto theirs = connection.query("SELECT UTC_TIMESTAMP(3)").at(0).time(0);
    const auto difference = std::max(theirs - context.now(), begun - theirs);
    report.check(difference <= std::chrono::seconds(5), "clocks of this host and the database agree",
                 "they differ by " + std::to_string(std::chrono::duration_cast<std::chrono::seconds>(difference).count()) +
                     " s: run a time service on both");
}

void check_schema(db::Connection& connection, const std::string& sql, Report& report) {
    try {
        const auto state = db::schema_state(connection, db::read_migrations(migrations_directory(sql)));
        const std::string what = "schema " + std::to_string(state.applied) + " of " + std::to_string(state.known);
        if (!state.changed.empty())
            report.check(false, what,
                         state.changed.front() + " differs from what was applied: run the program that belongs to this schema");
        else
            report.check(state.current(), what, "run tradepostctl migrate");
    } catch (const std::exception& error) {
        report.check(false, "schema", one_line(error, ""));
    }
}

void check_limits(Context& context, Report& report) {
    const auto& config = context.config();
    if (config.rate_limits.store == "redis") {
        core::log::set_level(core::log::Level::error);
        try {
            // A store that is away lets the request through and does not count it.
            limits::RedisLimiter store(config.rate_limits.redis, config.instance, context.clock);
            const auto verdict = store.count("doctor", "doctor", core::Rate{1000, std::chrono::seconds(1)});
            report.check(verdict.remaining < verdict.limit, "rate limit store " + config.rate_limits.redis,
                         "it does not count: start it, or correct [rate_limits] redis");
        } catch (const std::exception& error) {
            report.check(false, "rate limit store", one_line(error, ""));
        }
        return;
    }
    // Not opened: what this user makes, the workers' user could not open.
    const std::string file = config.counters_path();
    const auto folder = std::filesystem::path(file).parent_path().string();
    struct stat info {};
    const bool there = lstat(file.c_str(), &info) == 0;
    if (there)
        report.check(S_ISREG(info.st_mode) && access(file.c_str(), R_OK | W_OK) == 0, "rate limit store " + file,
                     "it is no file of ours: remove it while the workers are stopped");
    else
        report.check(access(folder.empty() ? "." : folder.c_str(), W_OK) == 0, "rate limit store " + file,
                     "make " + folder + " writable for the workers' user");
    struct statvfs space {};
    if (!there && statvfs(folder.empty() ? "." : folder.c_str(), &space) == 0)
        report.check(std::uint64_t(space.f_bavail) * space.f_frsize >= 8u << 20, "room for the rate limit store",
                     "8 MiB are needed in " + folder + ": enlarge it");
}

void check_uploads(Context& context, Report& report) {
    const auto& directory = context.config().uploads.directory;
    struct stat info {};
    const bool there = stat(directory.c_str(), &info) == 0;
    const bool good = there && S_ISDIR(info.st_mode) && access(directory.c_str(), R_OK | W_OK | X_OK) == 0;
    report.check(good, "uploads directory " + directory,
                 !there ? reason() + ": make it, for the workers' user, or correct [uploads] directory"
                        : "it must be a directory that the workers' user can write to");
}

int run(Context& context, const std::string& sql) {
    Report report(context.json);
    if (!check_configuration(context, report)) return report.finish();
    db::Connection connection(context.config().database, std::chrono::seconds(10));
    if (check_reachable(context, connection, report)) {
        try {
            check_server(context, connection, report);
        } catch (const db::Error& error) {
            report.check(false, "server settings", one_line(error, context.config_path()));
        }
        check_schema(connection, sql, report);
    }
    check_limits(context, report);
    check_uploads(context, report);
    return report.finish();
}

}  // namespace

void add_doctor_command(CLI::App& app, Context& context) {
    const auto sql = std::make_shared<std::string>();
    auto* doctor = app.add_subcommand("doctor", "say what is wrong with this instance and how to mend it");
    doctor->add_option("--sql", *sql, "the folder of the numbered SQL files")->type_name("DIR");
    on(doctor, context, [&context, sql] { return run(context, *sql); });
}

}  // namespace tradepost::ctl
