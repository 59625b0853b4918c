// Copies all rows of a table into an index of the search server.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "core/config.h"
#include "db/connection.h"
#include "search/engines/sphinx_index.h"

namespace tradepost::search {

// Reads the rows by id while two further threads send documents. Returns how many rows there are. `may_go_on` is asked every now and then.
// Throws db::Error, and Interrupted when it may not.
std::int64_t copy_rows(db::Connection& connection, const core::Config::Search& config, const SphinxIndex& described,
                       const std::string& index, const std::function<bool()>& may_go_on);

}  // namespace tradepost::search
