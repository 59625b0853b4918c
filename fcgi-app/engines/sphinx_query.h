// A search query in the extended query syntax of Sphinx and Manticore Search.
#pragma once
#include <string>

#include "search/query.h"

namespace tradepost::engines {

// The words of `query` for the field `field`. It holds nothing but tokens (search/tokens.h), spaces and the operators @ " * ! | ( ).
std::string sphinx_query(const search::Query& query, std::string_view field);

}  // namespace tradepost::engines
