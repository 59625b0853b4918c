// The values that a request gives for one filter, for the counts of lists.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "repo/list_counts.h"

namespace tradepost::repo {

// As many keys as there are combinations of a request's values are added up; more are not worth it.
inline constexpr std::size_t most_filter_keys = 64;

using Choice = std::optional<std::string_view>;

// Each of the texts once; without any, one that is no condition.
inline std::set<Choice> choices(const std::vector<std::string>& texts) {
    if (texts.empty()) return {std::nullopt};
    return {texts.begin(), texts.end()};
}

// Adds the term unless it is no condition.
inline void add_term(std::vector<Term>& terms, char field, const Choice& value) {
    if (value) terms.push_back({field, *value});
}

}  // namespace tradepost::repo
