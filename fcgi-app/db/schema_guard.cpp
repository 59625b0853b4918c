#include "db/schema_guard.h"

#include <chrono>
#include <string>
#include <thread>

#include "core/log.h"
#include "db/health.h"
#include "db/migrations.h"

namespace tradepost::db {

void SchemaGuard::await(Away away) {
    std::string told;
    while (!known_) {
        bool old = false;
        try {
            old = is_old_now();
            if (!old) return;
            migrate_alone(
                config_, read_migrations(migrations_directory()),
                [](const std::string& name) {
                    core::log::info("migrated", {{"name", name}});
                },
                [](const std::string& holder) {
                    core::log::warning("waits_for_migration", {{"holder", holder}});
                });
            continue;
        } catch (const std::exception& error) {
            if (!old && away == Away::go_on) return;
            if (told != error.what()) core::log::error("schema", {{"why", error.what()}});
            told = error.what();
        }
        std::this_thread::sleep_for(std::chrono::seconds(1));
    }
}

bool SchemaGuard::is_old_now() {
    Connection connection(config_);
    known_ = Health(connection).applied() >= Health::needed_migration;
    return !known_;
}

bool SchemaGuard::is_old() {
    if (known_) return false;
    try {
        return is_old_now();
    } catch (const Error&) {
        return false;  // the request tells why
    }
}

}  // namespace tradepost::db
