// Whether the database can serve: what /readyz answers.
#pragma once
#include <string>

#include "db/connection.h"

namespace tradepost::db {

class Health {
public:
    // The last step of sql/ that the statements of this program rely on.
    static constexpr int needed_migration = 75;

    explicit Health(db::Connection& connection) : connection_(connection) {}

    // Empty when the database answers and its schema is the one this program was built for; else what is wrong, for the log.
    // Throws db::Unavailable when the database is away.
    std::string fault();

private:
    db::Connection& connection_;
};

}  // namespace tradepost::db
