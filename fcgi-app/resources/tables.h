// The tables of all resources, for what is done to all of them.
#pragma once
#include <span>

#include "resource/table.h"

namespace tradepost::resources {

// All described resources.
std::span<const resource::Table> tables();

// Every table whose lists have kept counts, those of tables() included: for `recount` and `doctor`. A table that is missing here is counted by
// its writers all the same.
std::span<const lists::CountedTable* const> counted_tables();

// Every table whose rows the search finds, those of tables() included.
struct WordsTable {
    std::string_view name;
    // Writes the words of these rows again. The rows stay locked until the transaction ends.
    void (*write)(writes::WriteTransaction& transaction, std::span<const core::Uuid> ids);
};
std::span<const WordsTable> words_tables();

// The same for all rows, page by page, each in a transaction of its own; then the table's words are complete. Returns how many rows.
std::size_t write_all_words(db::Connection& connection, const WordsTable& table);

}  // namespace tradepost::resources
