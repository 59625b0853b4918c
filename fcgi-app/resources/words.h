// The words of all rows that the search finds.
#pragma once
#include <span>
#include <string_view>

#include "writes/transaction.h"

namespace tradepost::resources {

struct WordsTable {
    std::string_view name;
    // Writes the words of these rows again. The rows stay locked until the transaction ends.
    void (*write)(writes::WriteTransaction& transaction, std::span<const core::Uuid> ids);
};
std::span<const WordsTable> words_tables();

// The same for all rows, page by page, each in a transaction of its own; then the table's words are complete. Returns how many rows.
std::size_t write_all_words(db::Connection& connection, const WordsTable& table);

// Those of an organisation whose name has changed, as far as its name is among them.
void write_words_of_organisation(writes::WriteTransaction& transaction, const core::Uuid& organisation_id);

}  // namespace tradepost::resources
