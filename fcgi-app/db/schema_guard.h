// Keeps a program from working with a schema that is older than it needs.
#pragma once
#include <chrono>

#include "core/config.h"

namespace tradepost::db {

// A service may start while the database is away or has the schema of the previous version. `tradepostctl migrate` brings the schema up to date,
// which tradepost-upgrade@.service runs until it succeeds. Borrows the configuration.
class SchemaGuard {
public:
    explicit SchemaGuard(const core::Config::Database& config) : config_(config) {}

    // Whether the schema is older. False while the database cannot tell: the next statement fails with the reason. Asks the database once a
    // second at most while the answer is true, and never again once is_known() is true. Logs the first true.
    bool is_old();

    // Whether the schema was seen to be new enough.
    bool is_known() const { return known_; }

    // Returns when the schema is new enough, and waits for a database that is away or refuses this user. Logs each reason once.
    void await();

private:
    bool is_old_now();

    const core::Config::Database& config_;
    bool known_ = false, told_ = false;
    std::chrono::steady_clock::time_point next_look_{};  // while the schema is older
};

}  // namespace tradepost::db
