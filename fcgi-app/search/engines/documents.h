// The numbers of rows as documents of the search server, and the documents themselves, as the database has them now.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "db/connection.h"
#include "search/engines/sphinx_index.h"

namespace tradepost::search {

// Numbers of 64 bits that no two rows share. The newest row has the least number, since the server compares rows in the order of these
// numbers, and a list mostly shows the newest rows.
using Numbers = std::map<core::Uuid, std::uint64_t>;

// Of those of the rows that have one.
Numbers numbers_of(db::Connection& connection, std::string_view table, std::span<const core::Uuid> ids);
// Of all of them: rows without a number get one.
Numbers make_numbers(db::Connection& connection, std::string_view table, std::span<const core::Uuid> ids);

// The REPLACEs for the rows, in statements of a size that a server takes; rows that are not there have none. `found` gets the ids of those that
// are.
std::vector<std::string> replacements(db::Connection& connection, const SphinxIndex& described, const std::string& index,
                                      std::span<const core::Uuid> ids, const Numbers& numbers, std::vector<core::Uuid>& found);

// The DELETE for these documents.
std::string deletion(const std::string& index, const Numbers& numbers);

}  // namespace tradepost::search
