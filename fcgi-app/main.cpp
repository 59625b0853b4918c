// tradepost-worker: configuration → App → worker loop.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app.h"
#include "core/byte_locks.h"
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

// Decides whether a worker serves: not while the schema is older than the program needs. Workers of a pool that serve share a byte of a file.
class Service {
public:
    // While others of the pool serve, as workers of the previous version do during an upgrade, waits for the schema, and leaves the requests to
    // them. Otherwise returns at once, so that clients are answered.
    Service(const tradepost::core::Config& config, const std::string& pool) : schema_(config.database) {
        using namespace tradepost;
        std::string why;
        file_ = core::open_lock_file(config.counters_path() + ":serve-" + pool, why);
        if (!file_) core::log::warning("serves_unseen", {{"reason", why}});
        while (is_closed() && core::others_lock(file_.get(), 0, 1)) std::this_thread::sleep_for(std::chrono::seconds(1));
    }

    bool is_closed() {
        if (serves_) return false;
        if (schema_.is_old()) return true;
        serves_ = schema_.is_known();
        if (serves_ && file_) (void)tradepost::core::share_byte(file_.get(), 0);
        return false;
    }

private:
    tradepost::db::SchemaGuard schema_;
    tradepost::core::FileDescriptor file_;
    bool serves_ = false;
};

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
    Service service(config, fcgi::pool_name());
    App app(config, clock, *limiter, &versions, &metrics, fcgi::pool_name(), &admission);
    const auto time_allowed = [&](const http::Request& request) {
        return feeds::is_feed(request) ? std::max<std::chrono::seconds>(config.http.deadline, feeds::longest_run)
                                       : config.http.deadline;
    };
    const auto handle = [&](const http::Request& request) {
        // A load balancer shall not take a host for dead while its schema is migrated.
        if (!service.is_closed() || request.target == "/healthz") return app.handle(request);
        const auto error = http::service_unavailable("");
        auto response = http::failure(error.status, error.external);
        for (const auto& [name, value] : error.headers) response.set(name, value);
        return response;
    };
    const auto settle = [&](bool is_end) {
        if (!service.is_closed()) app.settle(is_end);
    };
    return fcgi::run(handle, settle, time_allowed, config.path,
                     fcgi::Idle(config.counters_path() + ":awake-" + fcgi::pool_name()));
} catch (const std::exception& error) {
    tradepost::core::log::error("start", {{"worker", getpid()}, {"why", error.what()}});
    return 1;
}
