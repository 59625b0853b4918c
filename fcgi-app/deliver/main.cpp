// tradepost-deliver: delivers the messages of the outbox.

#include <atomic>
#include <csignal>

#include "core/config.h"
#include "core/config_argument.h"
#include "core/log.h"
#include "core/outgoing.h"
#include "core/version.h"
#include "db/connection_limit.h"
#include "db/health.h"
#include "db/schema_guard.h"
#include "deliver/deliverer.h"

namespace {

using namespace tradepost;

constexpr const char* usage =
    "usage: tradepost-deliver [--config FILE | --instance NAME | --version]\n"
    "Delivers what the instance of /etc/tradepost/NAME.toml has to say to the outside, such as webhooks and mail, and tries for "
    "three "
    "days.\n";

std::atomic<bool> stopped = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

}  // namespace

int main(int argc, char** argv) try {
    const auto file = core::config_argument(argc, argv, usage, db::version_line("tradepost-deliver"));
    if (const auto* status = std::get_if<int>(&file)) return *status;
    const auto config = core::load_config(std::get<std::string>(file));
    core::log::set_level(config.log.level);
    core::log::info("start", {{"version", core::version}, {"config", config.path}});
    if (config.copy) core::log::info("copy", {{"of", config.copy->of}, {"why", core::nothing_is_sent}});
    const db::ConnectionLimit limit(config, db::Pool::background);
    db::SchemaGuard(config.database).await();
    for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) (void)std::signal(signal, [](int) { stopped = true; });
    (void)std::signal(SIGPIPE, SIG_IGN);
    deliver::Deliverer(config, stopped).run();
    return 0;
} catch (const std::exception& error) {
    tradepost::core::log::error("start", {{"why", error.what()}});
    return 1;
}
