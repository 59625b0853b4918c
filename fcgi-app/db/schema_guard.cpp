#include "db/schema_guard.h"

#include <string>
#include <thread>

#include "core/log.h"
#include "db/health.h"

namespace tradepost::db {

void SchemaGuard::await() {
    for (std::string told;; std::this_thread::sleep_for(std::chrono::seconds(1))) {
        try {
            if (!is_old_now()) return;
        } catch (const std::exception& error) {
            if (told != error.what()) core::log::error("schema", {{"why", error.what()}});
            told = error.what();
        }
    }
}

bool SchemaGuard::is_old_now() {
    Connection connection(config_);
    const auto applied = Health(connection).applied();
    known_ = applied >= Health::needed_migration;
    if (!known_ && !told_)
        core::log::warning("waits_for_migration", {{"schema", applied},
                                                   {"needed", Health::needed_migration},
                                                   {"why", "the schema is old; tradepostctl migrate brings it up to date"}});
    told_ = !known_;
    return !known_;
}

bool SchemaGuard::is_old() {
    if (known_) return false;
    const auto now = std::chrono::steady_clock::now();
    if (told_ && now < next_look_) return true;
    next_look_ = now + std::chrono::seconds(1);
    try {
        return is_old_now();
    } catch (const Error&) {
        told_ = false;
        return false;
    }
}

}  // namespace tradepost::db
