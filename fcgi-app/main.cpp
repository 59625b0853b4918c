// tradepost-worker: configuration → App → worker loop.
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "app.h"
#include "core/config.h"
#include "core/config_argument.h"
#include "core/log.h"
#include "fcgi/background.h"
#include "fcgi/worker.h"
#include "limits/limiter.h"
#include "limits/turns.h"
#include "metrics/metrics.h"
#include "resources/feeds/turn.h"
#include "routes.h"
#include "versions/shared_versions.h"

namespace {

constexpr const char* usage =
    "usage: tradepost-worker [--config FILE | --instance NAME]\n"
    "Answers the Tradepost API's requests on the FastCGI socket that is file descriptor 0, as /etc/tradepost/NAME.toml says.\n";

}  // namespace

int main(int argc, char** argv) try {
    using namespace tradepost;
    const auto file = core::config_argument(argc, argv, usage);
    if (const auto* status = std::get_if<int>(&file)) return *status;
    const auto config = core::load_config(std::get<std::string>(file));
    if (fcgi::is_cpu_bound(fcgi::pool_name())) fcgi::run_in_background();
    core::log::set_level(config.log.level);
    const core::SystemClock clock;
    const auto limiter = limits::make_limiter(config, clock);
    versions::SharedVersions versions(versions::versions_path(config), versions::VersionsFile::WhenMissing::create);
    std::vector<metrics::RouteLabels> labels;
    for (const auto& route : routes()) labels.push_back({route.method, route.path});
    metrics::Metrics metrics(metrics::metrics_path(config), std::move(labels), fcgi::pool_name());
    std::optional<limits::Turns> turns;
    // Two passwords of an address, and one picture of an organisation.
    if (fcgi::is_cpu_bound(fcgi::pool_name()))
        turns.emplace(limits::turns_path(config, fcgi::pool_name()), fcgi::pool_name() == "auth" ? 2 : 1, clock);
    App app(config, clock, *limiter, &versions, &metrics, fcgi::pool_name(), turns ? &*turns : nullptr);
    const auto time_allowed = [&](const http::Request& request) {
        return feeds::is_feed(request) ? std::max<std::chrono::seconds>(config.http.deadline, feeds::longest_run)
                                       : config.http.deadline;
    };
    return fcgi::run([&](const http::Request& request) { return app.handle(request); }, time_allowed, config.path);
} catch (const std::exception& error) {
    tradepost::core::log::error("start", {{"worker", getpid()}, {"why", error.what()}});
    return 1;
}
