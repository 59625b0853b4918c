// tradepost-worker: configuration → App → worker loop.
#include <getopt.h>
#include <unistd.h>

#include <iostream>
#include <optional>

#include "app.h"
#include "core/config.h"
#include "core/log.h"
#include "fcgi/background.h"
#include "fcgi/worker.h"
#include "limits/limiter.h"
#include "limits/turns.h"
#include "metrics/metrics.h"
#include "routes.h"
#include "versions/shared_versions.h"

namespace {

constexpr const char* usage =
    "usage: tradepost-worker [--config FILE | --instance NAME]\n"
    "Answers the Tradepost API's requests on the FastCGI socket that is file descriptor 0, as /etc/tradepost/NAME.toml says.\n";

}  // namespace

int main(int argc, char** argv) try {
    constexpr option options[] = {{"config", required_argument, nullptr, 'c'},
                                  {"instance", required_argument, nullptr, 'i'},
                                  {"help", no_argument, nullptr, 'h'},
                                  {}};
    std::string file;
    for (int given; (given = getopt_long(argc, argv, "", options, nullptr)) != -1;) {
        if (given == 'h') return std::cout << usage, 0;
        if (given == '?' || !file.empty()) return std::cerr << usage, 2;
        file = given == 'c' ? optarg : "/etc/tradepost/" + std::string(optarg) + ".toml";
    }
    if (optind != argc) return std::cerr << usage, 2;
    if (file.empty()) file = "/etc/tradepost/default.toml";

    using namespace tradepost;
    const auto config = core::load_config(file);
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
    return fcgi::run([&](const http::Request& request) { return app.handle(request); }, config.http.deadline, config.path);
} catch (const std::exception& error) {
    tradepost::core::log::error("start", {{"worker", getpid()}, {"why", error.what()}});
    return 1;
}
