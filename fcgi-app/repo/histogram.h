// Counts by the value of a number or a time, at several widths, so that a sum over any range reads few of them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "repo/list_counts.h"

namespace tradepost::repo {

// Level i counts values by their bits from shifts[i] on, as the measure first_measure + i; shifts descend. With a last shift of 0
// sums are exact; else values that share the last bucket are not told apart.
class Histogram {
public:
    constexpr Histogram(std::uint8_t first_measure, std::span<const int> shifts)
        : first_measure_(first_measure), shifts_(shifts) {}

    std::size_t levels() const { return shifts_.size(); }
    int shift(std::size_t level) const { return shifts_[level]; }
    std::uint8_t measure(std::size_t level) const { return std::uint8_t(first_measure_ + level); }

    void add(CountChanges& changes, const FilterKey& filter, std::uint64_t value, std::int64_t n) const;

    // The cells whose sum is the number of rows with less than `value`, or more.
    std::vector<CountRange> below(std::uint64_t value) const;
    std::vector<CountRange> above(std::uint64_t value) const;

private:
    std::uint8_t first_measure_;
    std::span<const int> shifts_;
};

}  // namespace tradepost::repo
