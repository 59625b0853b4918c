// Words in the syntax of InnoDB's boolean mode.
#pragma once
#include <span>
#include <string>

#include "search/grammar/query.h"

namespace tradepost::search {

// MATCH (tokens) AGAINST (? IN BOOLEAN MODE) finds the rows that hold all of `terms`, each of which is one word or a prefix. The string holds
// nothing but tokens (search/grammar/tokens.h), spaces and the operators + * ( ).
std::string boolean_query(std::span<const Term> terms);

}  // namespace tradepost::search
