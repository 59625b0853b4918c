// Keeps a program from working with a schema that is older than it needs.
#pragma once
#include "core/config.h"

namespace tradepost::db {

// The commands before a service starts have migrated the schema already. This is for those that start while the database is away, or, during an
// upgrade of the package, in place of one of the previous version. Borrows the configuration.
class SchemaGuard {
public:
    explicit SchemaGuard(const core::Config::Database& config) : config_(config) {}

    enum class Away { wait, go_on };
    // Returns when the schema is new enough. Migrates one that is older, or waits until the process that migrates has done it. While the
    // database is away or refuses this user, waits for it or returns. Logs why it waits, once for as long as that lasts.
    void await(Away away);

    // For one that went on without the database: whether the schema turns out to be older. Then begin again with await().
    bool is_old();

private:
    bool is_old_now();

    const core::Config::Database& config_;
    bool known_ = false;
};

}  // namespace tradepost::db
