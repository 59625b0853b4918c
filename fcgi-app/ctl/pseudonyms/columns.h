// Describes what happens to each column of the database in a copy with invented names.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ctl/pseudonyms/words.h"

namespace tradepost::ctl {

struct ReplacedColumn {
    std::string_view name;
    // Returns the new value; empty: NULL.
    std::optional<std::string> (*replace)(const Pseudonyms&, const std::string& value);
    bool binary = false;
};

struct DecidedTable {
    std::string_view table;
    std::string_view kept;                 // columns, with spaces between them
    std::vector<ReplacedColumn> replaced;  // a table with one has the key `id`
};

std::span<const DecidedTable> decided_tables();

// Tables that have no rows in a copy.
std::span<const std::string_view> emptied_tables();

// Those of `columns`, "table.column", that are neither kept nor replaced nor of an emptied table.
std::vector<std::string> undecided(const std::vector<std::string>& columns);

}  // namespace tradepost::ctl
