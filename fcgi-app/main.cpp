// tradepost-worker: configuration → App → worker loop.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "app.h"
#include "core/config.h"
#include "core/log.h"
#include "fcgi/background.h"
#include "fcgi/worker.h"
#include "limits/limiter.h"
#include "metrics/metrics.h"
#include "routes.h"
#include "versions/shared_versions.h"

int main(int argc, char** argv) try {
    CLI::App arguments("Answers the Tradepost API's requests on the FastCGI socket that is file descriptor 0.");
    std::string file, instance;
    auto* config_option = arguments.add_option("--config", file, "the instance's configuration");
    arguments.add_option("--instance", instance, "read /etc/tradepost/NAME.toml")->excludes(config_option);
    try {
        arguments.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return arguments.exit(error);
        std::cerr << "tradepost-worker: " << error.what() << "; see --help\n";
        return 2;
    }
    if (file.empty()) file = "/etc/tradepost/" + (instance.empty() ? "default" : instance) + ".toml";

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
    App app(config, clock, *limiter, &versions, &metrics, fcgi::pool_name());
    return fcgi::run([&](const http::Request& request) { return app.handle(request); }, config.http.deadline, config.path);
} catch (const std::exception& error) {
    tradepost::core::log::error("start", {{"worker", getpid()}, {"why", error.what()}});
    return 1;
}
