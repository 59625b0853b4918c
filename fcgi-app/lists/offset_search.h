// Finds where a page far on in a newest-first list begins, from the histogram of the list's order instead of by reading the rows before it.
#pragma once
#include <optional>
#include <span>

#include "lists/histogram.h"

namespace tradepost::lists {

// Below this offset, reading the index from its beginning is faster.
inline constexpr std::int64_t worth_a_search = 1000;

// `skipped` rows of the list have the time `before` or a later one. The others follow them.
struct OffsetStart {
    core::Time before;
    std::int64_t skipped;
};

// The start nearest to the row at `offset`. `filters` are the keys of disjoint parts of the list, `histogram` is that of the list's order in
// milliseconds, `not_shown` are the times of rows that are counted and not shown. At most one round trip per level of the histogram. Empty
// when the list has no row at `offset`, or its counts are not complete.
std::optional<OffsetStart> find_offset(db::Connection& connection, std::string_view list, std::span<const FilterKey> filters,
                                       const Histogram& histogram, std::span<const std::uint64_t> not_shown, std::int64_t offset);

}  // namespace tradepost::lists
