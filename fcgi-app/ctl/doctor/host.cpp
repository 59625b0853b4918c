// doctor: files of this host.
#include "core/host.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/time.h"
#include "ctl/doctor/doctor.h"
#include "files/probe.h"
#include "limits/limiter.h"

namespace tradepost::ctl {
namespace {

constexpr std::uint64_t shared_memory_bytes = 16 << 20;  // counters, versions and metrics

std::string reason() {
    return std::strerror(errno);
}

void check_redis(Context& context, Report& report) {
    auto config = context.config();
    core::log::set_level(core::log::Level::error);
    for (const auto& server : context.config().rate_limits.redis) try {
            // A store that is away lets the request through and does not count it.
            config.rate_limits.redis = {server};
            const auto store = limits::make_limiter(config, context.clock);
            const auto verdict = store->count("doctor", "doctor", core::Rate{1000, std::chrono::seconds(1)});
            const bool counts = report.check(
                verdict.remaining < verdict.limit, "rate limit store " + server,
                "it does not count: start it, or correct redis, redis_user, redis_password_file and redis_tls of [rate_limits]");
            if (!counts || !config.rate_limits.redis_tls) continue;
            WebClient client("https://" + server, config.rate_limits.redis_tls_ca);
            if (const auto ends = client.look_at_certificate().ends)
                check_certificate_end("certificate of rate limit store " + server, *ends, context.now(), renew_certificate,
                                      report);
        } catch (const std::exception& error) {
            report.check(false, "rate limit store " + server, one_line(error, ""));
        }
}

}  // namespace

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

void check_limits(Context& context, Report& report) {
    const auto& config = context.config();
    if (config.rate_limits.store == "redis") check_redis(context, report);
    // Not opened: what this user makes, the workers' user could not open.
    const std::string file = config.counters_path();
    auto folder = std::filesystem::path(file).parent_path().string();
    if (folder.empty()) folder = ".";
    struct stat info {};
    const bool there = lstat(file.c_str(), &info) == 0;
    if (there)
        report.check(S_ISREG(info.st_mode) && access(file.c_str(), R_OK | W_OK) == 0, "shared memory " + file,
                     "it is no file of ours: remove it while the workers are stopped");
    else
        report.check(access(folder.c_str(), W_OK) == 0, "shared memory " + file,
                     "make " + folder + " writable for the workers' user");
    struct statvfs space {};
    if (!there && statvfs(folder.c_str(), &space) == 0)
        report.check(std::uint64_t(space.f_bavail) * space.f_frsize >= shared_memory_bytes, "room for shared memory",
                     "16 MiB are needed in " + folder + ": enlarge it");
}

void check_backups(Context& context, Report& report) {
    const auto& config = context.config();
    const auto& backup = config.backup;
    const auto unit = "tradepost-backup@" + config.instance, rehearsal = "tradepost-rehearse@" + config.instance;
    const auto check_last = [&](const char* mark, const char* what, const char* figure, const std::string& by) {
        constexpr std::chrono::seconds allowed = std::chrono::hours(48);
        const auto last = config.last_done(mark);
        if (!last) return false;
        const auto age = std::chrono::floor<std::chrono::seconds>(context.now() - *last);
        report.figure(std::string(figure) + "=" + std::to_string(age.count()) + "s;;" +
                      (backup.is_configured() ? std::to_string(allowed.count()) : "") + ";0");
        report.check(age <= allowed || !backup.is_configured(), std::string(what) + " at " + core::to_rfc3339(*last),
                     "it is older than two days: journalctl -u " + by + " tells why; then systemctl start " + by);
        return true;
    };
    const bool backed_up = check_last("backed-up", "last backup", "backup_age", unit);
    const auto& database = config.database;
    const bool here = std::filesystem::path(config.path).parent_path() == "/etc/tradepost" && database.hosts.empty() &&
                      (!database.socket.empty() || core::is_this_host(database.host));
    if (!backed_up && (backup.is_configured() || here))
        report.warn("the instance was never backed up",
                    "set directory of [backup], and systemctl enable --now " + unit +
                        ".timer, or run tradepost-instance backup (OPERATORS.md, \"Backup and restore\")");
    // Without the key this host cannot decrypt what it has encrypted.
    const bool readable = backup.encrypt_to.empty() || !backup.identity.empty();
    if (!check_last("rehearsed", "last rehearsal of a backup", "rehearsal_age", rehearsal) && backed_up &&
        backup.is_configured() && readable)
        report.warn("no backup was ever rehearsed",
                    "systemctl start " + rehearsal + " restores one to try it, and removes that again");
}

void check_uploads_from_here(Context& context, Report& report) {
    const auto& directory = context.config().uploads.directory;
    struct stat info {};
    const bool there = stat(directory.c_str(), &info) == 0;
    const bool good = there && S_ISDIR(info.st_mode) && access(directory.c_str(), R_OK | W_OK | X_OK) == 0;
    if (!report.check(good, "uploads directory " + directory,
                      !there ? reason() + ": make it, for the user of the uploads pool, or correct [uploads] directory"
                             : "it must be a directory that the user of the uploads pool can write to"))
        return;
    if (const auto fault = files::space_fault(directory); !fault.empty()) report.check(false, "uploads", fault);
}

}  // namespace tradepost::ctl
