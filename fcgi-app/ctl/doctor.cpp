// doctor
#include "ctl/doctor.h"

#include <filesystem>
#include <iostream>

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
    bool no_web = false;
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

void check_nginx(Context& context, Report& report) {
    const auto own = beside_configuration(context, "nginx/private.conf");
    const fs::path folder = own.empty() ? "/etc/nginx/tradepost/" + context.config().instance : own.parent_path().string();
    check_nginx_connections(own.empty() ? "/etc/nginx/nginx.conf" : own.string(), folder / "snippets/flood.conf", report);
}

void check_outbox(db::Connection& connection, Report& report) {
    constexpr std::chrono::minutes allowed{1};
    const auto lag = outbox::backlog(connection).lag;
    if (lag <= allowed) return;
    report.warn("messages have waited " + std::to_string(lag / std::chrono::seconds(1)) + " s for tradepost-deliver",
                "see its log, or start it: letters, webhooks and push messages wait for it");
}

int run(Context& context, const DoctorOptions& options) {
    Report report(context.json);
    if (!check_configuration(context, report)) return report.finish();
    db::Connection connection(context.config().database, std::chrono::seconds(10));
    std::optional<std::string> key;
    if (check_database(context, connection, options.sql, report)) {
        try {
            key = identity::InstanceKeys(connection).get(identity::pass_key, context.now());
            check_outbox(connection, report);
        } catch (const db::Error&) {
            // An old schema has no table for it, which was told.
        }
        check_search(context, connection, report);
    }
    check_limits(context, report);
    check_mail(context, report);
    check_push(context, report);
    bool uploads_checked = false;
    if (!options.no_web) {
        check_nginx(context, report);
        const auto& url = options.url.empty() ? context.config().http.base_url : options.url;
        WebClient client(url, options.ca_file.empty() ? own_certificate(context) : options.ca_file);
        uploads_checked =
            check_web(context, client, url, options.sockets.empty() ? sockets(context) : options.sockets, key, report);
    }
    if (!uploads_checked) check_uploads_from_here(context, report);
    return report.finish();
}

}  // namespace

bool Report::check(bool good, const std::string& what, const std::string& remedy) {
    failed_ = failed_ || !good;
    checks_.push_back({{"ok", good}, {"check", what}, {"remedy", good ? Json() : Json(remedy)}});
    if (!json_) std::cout << (good ? "ok   " + what : "FAIL " + what + ": " + remedy) << std::endl;
    return good;
}

void Report::warn(const std::string& what, const std::string& remedy) {
    checks_.push_back({{"ok", true}, {"check", what}, {"remedy", remedy}});
    if (!json_) std::cout << "WARN " << what << ": " << remedy << std::endl;
}

int Report::finish() const {
    if (json_) print(checks_);
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
    on(doctor, context, [&context, options] {
        while (options->url.ends_with('/')) options->url.pop_back();
        return run(context, *options);
    });
}

}  // namespace tradepost::ctl
