// doctor
#include "ctl/doctor/doctor.h"

#include <filesystem>
#include <iostream>

#include "core/outgoing.h"
#include "ctl/commands.h"
#include "ctl/mail.h"
#include "ctl/push.h"
#include "identity/diagnosis_pass.h"
#include "identity/instance_keys.h"
#include "outbox/stored.h"

namespace tradepost::ctl {
namespace {

struct DoctorOptions {
    std::string sql, url, ca_file, sockets;
    bool no_web = false, icinga = false;
};

namespace fs = std::filesystem;

// A private stack has all of its files beside its configuration.
fs::path beside_configuration(Context& context, const char* name) {
    std::error_code missing;
    const auto path = fs::path(context.config().path).parent_path() / name;
    return fs::exists(path, missing) ? path : fs::path();
}
std::string own_certificate(Context& context) {
    return beside_configuration(context, "tls/cert.pem");
}
std::string sockets(Context& context) {
    const bool own = !beside_configuration(context, "sv/api").empty();
    return own ? beside_configuration(context, "run").string() : "/run/tradepost/" + context.config().instance;
}

// Whether nginx answers in the workers' place, as tradepost-instance told it to.
bool is_closed(Context& context, Report& report) {
    for (const std::string each : {"maintenance", "read-only"}) {
        if (beside_configuration(context, (context.config().instance + "." + each).c_str()).empty()) continue;
        report.warn(each == "maintenance" ? "the instance is in maintenance" : "the instance is read-only",
                    "tradepost-instance " + each + " " + context.config().instance + " off ends that; nginx was not checked");
        return true;
    }
    return false;
}

// False when it does not run.
bool check_nginx(Context& context, bool elsewhere, Report& report) {
    const auto own = beside_configuration(context, "nginx/private.conf");
    const fs::path folder = own.empty() ? "/etc/nginx/tradepost/in-use/" + context.config().instance : own.parent_path().string();
    const auto main_file = own.empty() ? "/etc/nginx/nginx.conf" : own.string();
    if (!elsewhere && !check_nginx_runs(main_file, report)) return false;
    check_nginx_connections(main_file, folder / "snippets/flood.conf", report);
    return true;
}

void check_outbox(db::Connection& connection, Report& report) {
    constexpr std::chrono::minutes allowed{1};
    const auto found = outbox::backlog(connection);
    const auto lag = std::to_string(found.lag / std::chrono::seconds(1));
    report.figure("outbox_lag=" + lag + "s;60;;0");
    report.figure("outbox_waiting=" + std::to_string(found.waiting) + ";;;0");
    report.figure("outbox_dead=" + std::to_string(found.dead) + ";;;0");
    if (found.lag <= allowed) return;
    report.warn("messages have waited " + lag + " s for tradepost-deliver",
                "see its log, or start it: letters, webhooks and push messages wait for it");
}

int run(Context& context, const DoctorOptions& options) {
    if (options.icinga && context.json) throw WrongUsage("--json and --icinga exclude each other; keep one");
    // A fault of the settings is UNKNOWN for Icinga, since nothing can be checked then.
    if (options.icinga) context.config();
    Report report(context.json ? ReportFormat::json : options.icinga ? ReportFormat::icinga : ReportFormat::lines);
    if (!check_configuration(context, report)) return report.finish("");
    for (const auto& fault : {context.config().mail.fault, context.config().push.fault})
        if (!fault.empty()) report.check(false, "the settings can work", fault);
    if (const auto& copy = context.config().copy)
        report.warn("a copy of " + copy->of + " of " + copy->on + ": " + core::nothing_is_sent,
                    "to make it a service of its own, take [copy] out of the settings");
    db::Connection connection(context.config().database, std::chrono::seconds(10));
    std::optional<std::string> key;
    if (check_database(context, connection, options.sql, report)) {
        try {
            key = identity::InstanceKeys(connection).get(identity::pass_key, context.now());
            check_outbox(connection, report);
            check_texts(connection, report);
        } catch (const db::Error&) {
            // An old schema has no table for it, which was told.
        }
        check_search(context, connection, report);
    }
    check_limits(context, report);
    check_backups(context, report);
    check_mail(context, report);
    check_push(context, report);
    const bool runs = check_units(context, report);
    bool uploads_checked = false;
    if (!options.no_web && !is_closed(context, report) && check_nginx(context, !options.url.empty(), report) && runs) {
        const auto& url = options.url.empty() ? context.config().http.base_url : options.url;
        WebClient client(url, options.ca_file.empty() ? own_certificate(context) : options.ca_file);
        uploads_checked =
            check_web(context, client, url, options.sockets.empty() ? sockets(context) : options.sockets, key, report);
    }
    if (!uploads_checked) check_uploads_from_here(context, report);
    return report.finish(context.config().instance);
}

}  // namespace

bool Report::check(bool good, const std::string& what, const std::string& remedy) {
    failed_ = failed_ || !good;
    checks_.push_back({{"ok", good}, {"check", what}, {"remedy", good ? Json() : Json(remedy)}});
    if (format_ == ReportFormat::lines) std::cout << (good ? "ok   " + what : "FAIL " + what + ": " + remedy) << std::endl;
    return good;
}

void Report::warn(const std::string& what, const std::string& remedy) {
    checks_.push_back({{"ok", true}, {"check", what}, {"remedy", remedy}});
    if (format_ == ReportFormat::lines) std::cout << "WARN " << what << ": " << remedy << std::endl;
}

int Report::finish(const std::string& instance) const {
    if (format_ == ReportFormat::icinga) return print_for_icinga(instance, checks_, figures_);
    if (format_ == ReportFormat::json) print(checks_);
    return failed_ ? 1 : 0;
}

void add_doctor_command(Command app, Context& context) {
    const auto options = std::make_shared<DoctorOptions>();
    const auto doctor = app.add("doctor", "check this instance, and name each fault with its remedy");
    doctor.option("--sql", options->sql, "the folder of the numbered SQL files", "DIR");
    doctor.option("--url", options->url, "the address of the running service, instead of [http] base_url", "URL");
    doctor.option("--cacert", options->ca_file, "a file of certificates to trust, instead of the system's", "FILE");
    doctor.option("--sockets", options->sockets, "the folder of the pools' sockets, instead of /run/tradepost/INSTANCE", "DIR");
    doctor.flag("--no-web", options->no_web, "skip the checks of the running service");
    doctor.flag("--icinga", options->icinga, "answer as a plugin of Icinga or Nagios, with the exit codes 0, 1, 2 and 3");
    on(doctor, context, [&context, options] {
        while (options->url.ends_with('/')) options->url.pop_back();
        return run(context, *options);
    });
}

}  // namespace tradepost::ctl
