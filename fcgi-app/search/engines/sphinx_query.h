// A search query in the extended query syntax of Sphinx and Manticore Search.
#pragma once
#include <string>

#include "search/grammar/query.h"

namespace tradepost::search {

// The words of `query` for the field `field`. It holds nothing but tokens (search/grammar/tokens.h), spaces and the operators @ " * ! | ( ).
std::string sphinx_query(const Query& query, std::string_view field);

}  // namespace tradepost::search
