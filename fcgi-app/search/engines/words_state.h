// Whether the words of all rows of a table are there for the search, written by this release's scheme.
#pragma once
#include <string_view>

#include "db/connection.h"

namespace tradepost::search {

bool words_complete(db::Connection& connection, std::string_view table);

// Stores that they are, inside or outside of a transaction.
void set_words_complete(db::Connection& connection, std::string_view table);

}  // namespace tradepost::search
