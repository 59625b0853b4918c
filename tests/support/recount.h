// Recounts for tests.
#pragma once
#include "counts/table.h"
#include "resources/tables.h"

namespace tradepost::test {

// Every table's; how many counts were wrong.
inline std::size_t recount_all(db::Connection& connection) {
    std::size_t wrong = 0;
    for (const auto* table : resources::counted_tables()) wrong += counts::recount(connection, *table);
    return wrong;
}

// Whether readers use the kept counts of every table.
inline bool totals_are_kept(db::Connection& connection) {
    for (const auto* table : resources::counted_tables())
        if (counts::scheme_of(connection, *table) != counts::counting_scheme) return false;
    return true;
}

}  // namespace tradepost::test
