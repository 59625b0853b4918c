// tradepost-index: keeps the indexes of the search server as the database is.

#include <atomic>
#include <csignal>
#include <optional>
#include <thread>

#include "core/config.h"
#include "core/config_argument.h"
#include "core/log.h"
#include "core/version.h"
#include "db/connection_limit.h"
#include "db/health.h"
#include "db/lease.h"
#include "db/schema_guard.h"
#include "resources/tables.h"
#include "search/engines/indexer.h"

namespace {

using namespace std::chrono_literals;
using namespace tradepost;

constexpr const char* usage =
    "usage: tradepost-index [--config FILE | --instance NAME | --version]\n"
    "Follows what is written to the database and keeps the indexes of the search server of /etc/tradepost/NAME.toml up to "
    "date.\n";

// Changes are looked for so often.
constexpr auto pause = 100ms;
// A host that dies is replaced after this time.
constexpr auto lease_lifetime = 10s;
constexpr auto renewed = 2s;
constexpr auto pause_after_failure = 1s;

std::atomic<bool> stopped = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void wait(std::chrono::milliseconds time) {
    for (; !stopped && time > 0ms; time -= pause) std::this_thread::sleep_for(std::min<std::chrono::milliseconds>(time, pause));
}

// Follows one table while no other process does.
class Follower {
public:
    Follower(const core::Config& config, search::SphinxIndex described)
        : connection_(config.database), indexer_(connection_, config.search, std::move(described)) {}

    // Returns when the program is to stop.
    void run() {
        while (!stopped) {
            try {
                give_lease_back();
                follow();
                give_lease_back();
                failure_.clear();
            } catch (const std::exception& error) {
                if (stopped) break;
                // Once for as long as it lasts.
                if (failure_ != error.what())
                    core::log::error("index", {{"table", indexer_.described().table()}, {"why", error.what()}});
                failure_ = error.what();
                wait(pause_after_failure);
            }
        }
    }

private:
    void follow() {
        auto taken = db::Lease::take(connection_, search::follower(indexer_.described().pair()), lease_lifetime);
        if (!taken) return wait(1s);
        lease_.emplace(std::move(*taken));
        auto last = std::chrono::steady_clock::now();
        const auto may_go_on = [&] {
            if (stopped) return false;
            const auto now = std::chrono::steady_clock::now();
            if (now - last < renewed) return true;
            last = now;
            return has_lease();
        };
        while (may_go_on())
            if (!indexer_.follow(may_go_on)) wait(pause);
    }

    // Whether nobody else has followed meanwhile.
    bool has_lease() {
        if (!lease_->renew()) {
            indexer_.record_again();
            return false;
        }
        indexer_.confirm();
        return true;
    }

    // After a failure as well, since the search server may be in another process's reach. While the database is away, it is tried again.
    void give_lease_back() {
        if (lease_) has_lease();
        lease_.reset();
    }

    db::Connection connection_;
    search::Indexer indexer_;
    std::optional<db::Lease> lease_;
    std::string failure_;
};

}  // namespace

int main(int argc, char** argv) try {
    const auto file = core::config_argument(argc, argv, usage, db::version_line("tradepost-index"));
    if (const auto* status = std::get_if<int>(&file)) return *status;
    const auto config = core::load_config(std::get<std::string>(file));
    core::log::set_level(config.log.level);
    core::log::info("start", {{"version", core::version}, {"config", config.path}});
    if (!config.search.is_sphinx()) throw core::ConfigError(config.path + ": tradepost-index needs search.engine = \"sphinx\"");
    const db::ConnectionLimit limit(config, db::Pool::background);
    db::SchemaGuard(config.database).await();
    for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) (void)std::signal(signal, [](int) { stopped = true; });
    (void)std::signal(SIGPIPE, SIG_IGN);

    // A table that is built, or cannot be followed, holds up no other one.
    std::vector<std::thread> threads;
    for (auto& described : search::sphinx_indexes(resources::counted_tables()))
        threads.emplace_back([&config, described] { Follower(config, described).run(); });
    for (auto& thread : threads) thread.join();
    return 0;
} catch (const std::exception& error) {
    tradepost::core::log::error("start", {{"why", error.what()}});
    return 1;
}
