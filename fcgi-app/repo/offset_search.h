// Where in a list that is newest first a page begins, without walking there.
#pragma once
#include <optional>
#include <span>

#include "repo/histogram.h"

namespace tradepost::repo {

// Pages that begin before this are quicker walked to.
inline constexpr std::int64_t worth_a_search = 1000;

// Of the rows with a time before `before`, those that come first in the list stand behind `skipped` others.
struct OffsetStart {
    core::Time before;
    std::int64_t skipped;
};

// For the list that `filters` name together, none finding what another does, counted by milliseconds in `histogram`; `not_shown` are
// values of rows that are counted and that the list leaves out. At most one round trip a level of the histogram. Empty when the list has no row at `offset`, or its
// counts are not complete.
std::optional<OffsetStart> find_offset(db::Connection& connection, std::string_view list, std::span<const FilterKey> filters,
                                       const Histogram& histogram, std::span<const std::uint64_t> not_shown, std::int64_t offset);

}  // namespace tradepost::repo
