#include "db/conflict.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tradepost::db {

void conflict_on(Connection& connection, std::span<const core::Uuid> ids) {
    if (!connection.is_cluster() || ids.empty()) return;
    std::vector<core::Uuid> sorted(ids.begin(), ids.end());  // one order of locks prevents deadlocks
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    std::string rows;
    for (std::size_t i = 0; i < sorted.size(); ++i) rows += i ? ", (?, 1)" : "(?, 1)";
    connection.execute("INSERT INTO conflicts (id, writes) VALUES " + rows + " ON DUPLICATE KEY UPDATE writes = writes + 1",
                       std::vector<Value>(sorted.begin(), sorted.end()));
}

}  // namespace tradepost::db
