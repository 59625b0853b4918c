// For monitors and load balancers: /healthz, /readyz and /metrics, which nginx permits to this host and those of metrics_from; security.txt;
// and the diagnosis for tradepostctl doctor.
#include <algorithm>

#include "api/route.h"
#include "changes/readers.h"
#include "core/crypto.h"
#include "core/log.h"
#include "core/time.h"
#include "core/version.h"
#include "db/health.h"
#include "files/probe.h"
#include "http/error.h"
#include "identity/diagnosis_pass.h"
#include "identity/instance_keys.h"
#include "json/writer.h"
#include "limits/limiter.h"
#include "metrics/metrics.h"
#include "outbox/stored.h"
#include "resources/tables.h"
#include "search/engines/index_state.h"

namespace tradepost::operations {
namespace {

// this worker answers
http::Response healthz(api::Call&) {
    return http::data(R"({"status":"ok"})");
}

// the database answers and its schema is current; else 503
http::Response readyz(api::Call& call) {
    if (const auto fault = db::Health(call.services.connection).fault(); !fault.empty()) throw http::service_unavailable(fault);
    return http::data(R"({"status":"ready"})");
}

// The pool, the client's address and the hash of the Authorization field; from the uploads pool also the directory of its store and the
// faults there. 404 without an unused pass (identity/diagnosis_pass.h).
http::Response get_diagnosis(api::Call& call) {
    const auto& pass = call.parameters[1];
    const auto now = call.services.clock.now();
    if (!identity::has_pass_form(pass, now)) throw http::not_found();
    if (!identity::verify_pass(identity::InstanceKeys(call.services.connection).get(identity::pass_key, now), pass))
        throw http::not_found();
    // A pass is accepted as long before its time as after it, since clocks differ.
    if (!call.services.limiter.count("diagnosis", pass, {1, 2 * identity::pass_lifetime}).allowed) throw http::not_found();

    json::Writer found;
    found.begin_object().member("pool", call.services.pool).member("clientAddress", call.request.client_address);
    found.name("authorization");
    if (const auto authorization = call.request.header("authorization"))
        found.value(core::to_hex(core::sha256(*authorization)));
    else
        found.null();
    if (const auto* metrics = call.services.metrics) {
        const auto& engine = call.services.config.search.engine;
        const auto searches = metrics->slow_searches(engine, std::chrono::milliseconds(500));
        found.name("searches").begin_object().member("engine", engine);
        found.member("all", std::int64_t(searches.all)).member("slow", std::int64_t(searches.slow)).end_object();
        // Of this pool, in seconds; doctor looks at those of the last hour.
        found.name("lastRefusals").begin_object();
        for (std::size_t cost = 0; cost < limits::cost_names.size(); ++cost)
            if (const auto last = metrics->last_refusal(call.services.pool, limits::Cost(cost)))
                found.member(limits::cost_names[cost], std::int64_t(last));
        found.end_object();
    }
    if (call.services.pool == "uploads") {
        const auto& directory = call.services.config.uploads.directory;
        found.member("storeDirectory", directory).name("storeFaults").begin_array();
        for (const auto& fault : files::store_faults(directory, call.services.config.spool_socket())) found.value(fault);
        found.end_array();
    }
    return http::data(found.end_object().text());
}

std::string seconds(std::chrono::milliseconds time) {
    auto fraction = std::to_string(time.count() % 1000);
    fraction.insert(0, 3 - fraction.size(), '0');
    return std::to_string(time.count() / 1000) + "." + fraction + "\n";
}

// A constant, whose labels a query joins to other figures, as Prometheus' own programs have it.
std::string build_info() {
    return "# HELP tradepost_build_info Version of the program, and the last step of the schema that it needs.\n"
           "# TYPE tradepost_build_info gauge\n"
           "tradepost_build_info{version=\"" +
           std::string(core::version) + "\",schema=\"" + std::to_string(db::Health::needed_migration) + "\"} 1\n";
}

// Empty when the database does not answer.
std::string outbox_backlog(db::Connection& connection) try {
    const auto found = outbox::backlog(connection);
    return "# HELP tradepost_outbox_messages Messages to the outside that wait, and that were given up.\n"
           "# TYPE tradepost_outbox_messages gauge\n"
           "tradepost_outbox_messages{state=\"waiting\"} " +
           std::to_string(found.waiting) + "\ntradepost_outbox_messages{state=\"dead\"} " + std::to_string(found.dead) +
           "\n# HELP tradepost_outbox_lag_seconds Time that the oldest message that is due has waited for a deliverer.\n"
           "# TYPE tradepost_outbox_lag_seconds gauge\n"
           "tradepost_outbox_lag_seconds " +
           seconds(found.lag);
} catch (const db::Error& error) {
    core::log::warning("no_outbox_lag", {{"why", error.what()}});
    return {};
}

// How far the indexes of a search server are behind the database. Some statements for each, which count no more than changes::most_counted
// rows. Empty when the database does not answer.
std::string search_lag(db::Connection& connection) try {
    std::string lag =
        "# HELP tradepost_search_index_lag_seconds Age of the oldest change that the search index does not have, by collection.\n"
        "# TYPE tradepost_search_index_lag_seconds gauge\n";
    std::string queue =
        "# HELP tradepost_search_index_queue Changes that the search index does not have, by collection.\n"
        "# TYPE tradepost_search_index_queue gauge\n";
    for (const auto& described : search::sphinx_indexes(resources::counted_tables())) {
        const auto found = changes::backlog(connection, search::reader(described));
        const auto labels = "{collection=\"" + std::string(described.collection()) + "\"} ";
        lag.append("tradepost_search_index_lag_seconds").append(labels).append(seconds(found.lag));
        queue.append("tradepost_search_index_queue").append(labels).append(std::to_string(found.waiting) + "\n");
    }
    return lag + queue;
} catch (const db::Error& error) {
    core::log::warning("no_search_lag", {{"why", error.what()}});
    return {};
}

// What tradepost-instance did for this instance on this host. An age is left out while it was never done.
std::string backup_ages(const core::Config& config, core::Time now) {
    std::string text =
        "# HELP tradepost_backup_configured Whether the settings have a directory for backups.\n"
        "# TYPE tradepost_backup_configured gauge\n"
        "tradepost_backup_configured " +
        std::to_string(int(config.backup.is_configured())) + "\n";
    const auto add = [&](const char* mark, const std::string& name, const char* help) {
        const auto last = config.last_done(mark);
        if (!last) return;
        text.append("# HELP ").append(name).append(" ").append(help);
        text.append("\n# TYPE ").append(name).append(" gauge\n").append(name).append(" ");
        text += seconds(std::max(now - *last, std::chrono::milliseconds(0)));
    };
    add("backed-up", "tradepost_backup_age_seconds", "Time since the last backup was complete.");
    add("rehearsed", "tradepost_rehearsal_age_seconds", "Time since a backup was last restored to try it.");
    return text;
}

// The metrics of all workers. 503 when this worker cannot use the file.
http::Response get_metrics(api::Call& call) {
    auto text = call.services.metrics ? call.services.metrics->text() : std::nullopt;
    if (!text) throw http::service_unavailable("this worker has no metrics; see its log for event no_metrics");
    http::Response response;
    response.body = std::move(*text);
    response.body += build_info();
    response.body += backup_ages(call.services.config, call.services.clock.now());
    response.body += outbox_backlog(call.services.connection);
    if (call.services.config.search.is_sphinx()) response.body += search_lag(call.services.connection);
    response.set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    return response;
}

// 404 without a contact in the configuration
http::Response get_security_text(api::Call& call) {
    const auto& security = call.services.config.security;
    if (security.contact.empty()) throw http::not_found();
    // Of the day, so that the text and its ETag change once a day.
    const auto expires = std::chrono::floor<std::chrono::days>(call.services.clock.now()) + std::chrono::days(30);
    http::Response response;
    for (const auto& uri : security.contact) response.body += "Contact: " + uri + "\n";
    response.body += "Expires: " + core::to_rfc3339(expires) + "\n";
    response.body += "Canonical: " + call.services.config.http.base_url + std::string(call.request.raw_path()) + "\n";
    if (!security.encryption.empty()) response.body += "Encryption: " + security.encryption + "\n";
    if (!security.policy.empty()) response.body += "Policy: " + security.policy + "\n";
    response.set("Content-Type", "text/plain; charset=utf-8");
    response.set("Cache-Control", "public, max-age=3600");
    return response;
}

}  // namespace

std::span<const api::Route> routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET", "/healthz",                        healthz,           {.access = Access::open}},
        {"GET", "/readyz",                         readyz,            {.access = Access::open}},
        {"GET", "/metrics",                        get_metrics,       {.access = Access::open}},
        {"GET", "/.well-known/security.txt",       get_security_text, {.access = Access::open}},
        {"GET", "/api/v1/diagnosis/{pool}/{pass}", get_diagnosis,     {.access = Access::open, .pool = Pool::any}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::operations
