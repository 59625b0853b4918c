#include "db/health.h"

namespace tradepost::db {

std::string Health::fault() try {
    const auto applied = connection_.query("SELECT COALESCE(MAX(number), 0) FROM schema_migrations").at(0).integer(0);
    if (applied >= needed_migration) return {};
    return "the schema is at step " + std::to_string(applied) + " of " + std::to_string(needed_migration) +
           "; run tradepostctl migrate";
} catch (const db::Unavailable&) {
    throw;
} catch (const db::Error& error) {
    return std::string(error.what()) + "; run tradepostctl migrate";
}

}  // namespace tradepost::db
