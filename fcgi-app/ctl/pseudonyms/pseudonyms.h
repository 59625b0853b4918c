// Invents the names of a copy.
#pragma once
#include <cstddef>
#include <map>
#include <string>

#include "ctl/pseudonyms/words.h"
#include "db/connection.h"

namespace tradepost::ctl {

// Replaces and removes what ctl/pseudonyms/columns.h names, and writes the search's words of the changed rows again. Returns how many rows of each
// table were changed. Nothing else may use the database meanwhile. Throws Failure, with nothing changed, when the database has a column that is
// not decided.
std::map<std::string, std::size_t> invent_names(db::Connection& connection, const Pseudonyms& pseudonyms);

}  // namespace tradepost::ctl
