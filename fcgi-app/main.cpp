// tradepost-worker: configuration → App → worker loop.
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "app.h"
#include "core/config.h"
#include "core/config_argument.h"
#include "core/log.h"
#include "db/connection_limit.h"
#include "db/health.h"
#include "db/schema_guard.h"
#include "fcgi/background.h"
#include "fcgi/worker.h"
#include "http/error.h"
#include "limits/admission.h"
#include "limits/limiter.h"
#include "metrics/metrics.h"
#include "resource/feed/writing.h"
#include "resources/routes.h"
#include "versions/shared_versions.h"

namespace {

constexpr const char* usage =
    "usage: tradepost-worker [--config FILE | --instance NAME | --version]\n"
    "Answers the Tradepost API's requests on the FastCGI socket that is file descriptor 0, as /etc/tradepost/NAME.toml says.\n";

tradepost::db::Pool pool_of(const std::string& name) {
    using tradepost::db::Pool;
    return name == "auth" ? Pool::auth : name == "uploads" ? Pool::uploads : Pool::api;
}

}  // namespace

int main(int argc, char** argv) try {
    using namespace tradepost;
    const auto file = core::config_argument(argc, argv, usage, db::version_line("tradepost-worker"));
    if (const auto* status = std::get_if<int>(&file)) return *status;
    const auto config = core::load_config(std::get<std::string>(file));
    if (fcgi::is_cpu_bound(fcgi::pool_name())) fcgi::run_in_background();
    core::log::set_level(config.log.level);
    const core::SystemClock clock;
    const auto limiter = limits::make_limiter(config, clock);
    versions::SharedVersions versions(versions::versions_path(config), versions::VersionsFile::WhenMissing::create);
    std::vector<metrics::RouteLabels> labels;
    for (const auto& route : routes()) labels.push_back({std::string(route.method), route.path});
    metrics::Metrics metrics(metrics::metrics_path(config), std::move(labels), fcgi::pool_name());
    limits::Admission admission(limits::admission_path(config, fcgi::pool_name()), limits::pool_size(), clock);
    const db::ConnectionLimit limit(config, pool_of(fcgi::pool_name()));
    db::SchemaGuard schema(config.database);
    schema.await(db::SchemaGuard::Away::go_on);
    App app(config, clock, *limiter, &versions, &metrics, fcgi::pool_name(), &admission);
    const auto time_allowed = [&](const http::Request& request) {
        return feeds::is_feed(request) ? std::max<std::chrono::seconds>(config.http.deadline, feeds::longest_run)
                                       : config.http.deadline;
    };
    const auto handle = [&](const http::Request& request) {
        if (!schema.is_old()) return app.handle(request);
        // The worker that takes this one's place waits for the schema.
        (void)std::raise(SIGUSR1);
        const auto error = http::service_unavailable("");
        auto response = http::failure(error.status, error.external);
        for (const auto& [name, value] : error.headers) response.set(name, value);
        return response;
    };
    const auto settle = [&](bool is_end) {
        if (!schema.is_old()) app.settle(is_end);
    };
    return fcgi::run(handle, settle, time_allowed, config.path,
                     fcgi::Idle(config.counters_path() + ":awake-" + fcgi::pool_name()));
} catch (const std::exception& error) {
    tradepost::core::log::error("start", {{"worker", getpid()}, {"why", error.what()}});
    return 1;
}
