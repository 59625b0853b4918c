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

// What is wrong with the cost of this read, a line each: empty when it is flat.
std::vector<std::string> complaints(const Read& read, const Cost& small, const Cost& large);

// Details, polls, writes, and whether a lost index is seen; each with its name.
std::vector<std::pair<std::string, std::function<void()>>> other_checks();

}  // namespace tradepost::test
