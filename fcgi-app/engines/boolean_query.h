// A search query in the syntax of InnoDB's boolean mode.
#pragma once
#include <string>
#include <vector>

#include "search/query.h"

namespace tradepost::engines {

// A row matches when MATCH (tokens) AGAINST (? IN BOOLEAN MODE) holds for `required` and, for no string of `excluded`:
//   WHERE MATCH (tokens) AGAINST (? IN BOOLEAN MODE) AND NOT MATCH (tokens) AGAINST (? IN BOOLEAN MODE) …
// The strings hold nothing but tokens (search/tokens.h), spaces and the operators + " * ( ).
struct BooleanQuery {
    std::string required;               // never empty; also the one to rank by
    std::vector<std::string> excluded;  // not a `-` within `required`: InnoDB ignores -word* for rows written a moment ago
};
BooleanQuery boolean_query(const search::Query& query);

}  // namespace tradepost::engines
