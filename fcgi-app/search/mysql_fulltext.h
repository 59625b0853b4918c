// Search by InnoDB full text over a column of our own tokens: the server's stop words, shortest word and parser settings have no
// say.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "search/query.h"

namespace tradepost::search {

// The content of a `tokens` column (ASCII): every word of every field encoded as one token, with a boundary between
// fields that no phrase crosses. Fields are given in order of weight; the first counts `title_weight` times.
std::string index_tokens(const std::vector<std::string_view>& fields);

// A document matches when MATCH (tokens) AGAINST (? IN BOOLEAN MODE) holds for `required` and, for no string of `excluded`:
//   WHERE MATCH (tokens) AGAINST (? IN BOOLEAN MODE) AND NOT MATCH (tokens) AGAINST (? IN BOOLEAN MODE) …
// The strings hold nothing but encoded tokens, spaces and the operators + " *.
struct BooleanQuery {
    std::string required;               // never empty; also the one to rank by
    std::vector<std::string> excluded;  // not a `-` within `required`: InnoDB ignores -word* for rows written a moment ago
};
BooleanQuery boolean_query(const Query& query);

}  // namespace tradepost::search
