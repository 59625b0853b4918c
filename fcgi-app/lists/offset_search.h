// Finds where a page far on in a list begins, from the histogram of the list's order instead of by reading the rows before it.
#pragma once
#include <optional>
#include <span>

#include "lists/histogram.h"

namespace tradepost::lists {

// Below this offset, reading the index from its beginning is faster.
inline constexpr std::int64_t worth_a_search = 1000;

// `skipped` rows of the list have the value `before` in the column of the order, or a greater one. The others follow them.
struct OffsetStart {
    std::int64_t before;
    std::int64_t skipped;
};

inline core::Time time_of(const OffsetStart& start) {
    return core::Time(core::milliseconds(start.before));
}

// The start nearest to the row at `offset`. `filters` are the keys of disjoint parts of the list, `histogram` is that of the list's order,
// of a time in milliseconds, `not_shown` are the values of rows that are counted and not shown. `negated`: as Order::negated. At most one round trip per level of the histogram. Empty
// when the list has no row at `offset`, or its counts are not complete.
std::optional<OffsetStart> find_offset(db::Connection& connection, std::string_view list, std::span<const FilterKey> filters,
                                       const Histogram& histogram, std::span<const std::uint64_t> not_shown, std::int64_t offset,
                                       bool negated = false);

}  // namespace tradepost::lists
