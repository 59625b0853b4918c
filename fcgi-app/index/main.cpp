// tradepost-index: keeps the indexes of the search server as the database is.

#include <csignal>
#include <thread>

#include "core/config.h"
#include "core/config_argument.h"
#include "core/log.h"
#include "db/lease.h"
#include "engines/indexer.h"
#include "resources/tables.h"

namespace {

using namespace std::chrono_literals;
using namespace tradepost;

constexpr const char* usage =
    "usage: tradepost-index [--config FILE | --instance NAME]\n"
    "Follows what is written to the database and keeps the indexes of the search server of /etc/tradepost/NAME.toml up to "
    "date.\n";

// Changes are looked for so often.
constexpr auto pause = 100ms;
// A host that dies is replaced after this time.
constexpr auto lease_lifetime = 10s;
constexpr auto renewed = 2s;
constexpr auto pause_after_failure = 1s;

volatile std::sig_atomic_t stopped = 0;

void wait(std::chrono::milliseconds time) {
    for (; stopped == 0 && time > 0ms; time -= pause)
        std::this_thread::sleep_for(std::min<std::chrono::milliseconds>(time, pause));
}

// While no other process has the lease.
void follow(db::Connection& connection, engines::Indexer& indexer) {
    auto lease = db::Lease::take(connection, "search index", lease_lifetime);
    if (!lease) return wait(1s);
    auto last = std::chrono::steady_clock::now();
    const auto still_alone = [&] {
        if (stopped != 0) return false;
        const auto now = std::chrono::steady_clock::now();
        if (now - last < renewed) return true;
        last = now;
        return lease->renew();
    };
    while (stopped == 0) {
        const bool more = indexer.follow(still_alone);
        if (!still_alone()) {
            if (stopped == 0) indexer.record_again();
            return;
        }
        if (!more) wait(pause);
    }
}

}  // namespace

int main(int argc, char** argv) try {
    const auto file = core::config_argument(argc, argv, usage);
    if (const auto* status = std::get_if<int>(&file)) return *status;
    const auto config = core::load_config(std::get<std::string>(file));
    core::log::set_level(config.log.level);
    if (!config.search.is_sphinx()) throw core::ConfigError(config.path + ": tradepost-index needs search.engine = \"sphinx\"");
    for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) (void)std::signal(signal, [](int) { stopped = 1; });
    (void)std::signal(SIGPIPE, SIG_IGN);

    db::Connection connection(config.database);
    engines::Indexer indexer(connection, config.search, engines::sphinx_indexes(resources::counted_tables()));
    std::string failure;
    while (stopped == 0) {
        try {
            follow(connection, indexer);
            failure.clear();
        } catch (const std::exception& error) {
            // Once for as long as it lasts.
            if (failure != error.what()) core::log::error("index", {{"why", error.what()}});
            failure = error.what();
            wait(pause_after_failure);
        }
    }
    return 0;
} catch (const std::exception& error) {
    tradepost::core::log::error("start", {{"why", error.what()}});
    return 1;
}
