// The tests proper.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scale/reads.h"

namespace tradepost::test {

struct Sizes {
    std::optional<SizedDatabase> small, large;
};
Sizes& sizes();

// The answer is exact in both sizes, and costs the large one no more than twice what it costs the small one, and a constant.
void check_list(const Read& read);

// A query with what is another one in each database.
std::string filled(SizedDatabase& database, const std::string& query);

// What is wrong with a cost, a line each: empty when it is flat. `more`: rows that may be read besides in the large size.
std::vector<std::string> complaints(const std::string& name, const Cost& small, const Cost& large, std::int64_t more = 0);

// What may be read in the large size of something that reads so much in the small one.
std::int64_t flat_bound(const Cost& small);

// Reports complaints as errors, and the figures as a message.
void check_cost(const std::string& name, const Cost& small, const Cost& large, std::int64_t more = 0);

// Details, facets, polls, writes, the passing of time, and whether a lost index is seen; each with its name.
using Checks = std::vector<std::pair<std::string, std::function<void()>>>;
Checks other_checks();

}  // namespace tradepost::test
