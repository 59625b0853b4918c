// How the database is to find the rows of a search, and what that costs it.
#pragma once
#include <chrono>
#include <cstddef>
#include <vector>

#include "search/engines/word_sample.h"
#include "search/grammar/query.h"

namespace tradepost::search {

// The size of a search, as it is known before it runs.
struct SearchSize {
    double indexed;      // rows in the full-text index
    double listed;       // rows of the list that its filters leave
    bool scored;         // the best match comes first, so the occurrences in each match are counted
    std::size_t fields;  // whose values are counted, for facets
};

struct SearchPlan {
    // Words and prefixes that are rare enough for the full-text index, which cannot be stopped once it searches. Empty: the list's rows are
    // read one by one, which a time limit ends.
    std::vector<Term> found_by;
    // The rarest first: each row that was found, or read, is checked for these in turn.
    std::vector<Term> required;
    std::chrono::microseconds cost;  // processor time of the database, an estimate that is seldom too low
};

SearchPlan plan_search(const Query& query, const WordSample& sample, const SearchSize& size);

}  // namespace tradepost::search
