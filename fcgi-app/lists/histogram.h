// A histogram: counts of rows by the value of a number or time column, in buckets of several widths, so that the sum over any range reads
// few buckets.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "lists/list_counts.h"

namespace tradepost::lists {

// Level i has buckets of 2^shifts[i] values and is kept as the measure first_measure + i. The shifts descend. With a last shift of 0 sums
// are exact; otherwise the values in one bucket of the last level cannot be told apart.
class Histogram {
public:
    constexpr Histogram(std::uint8_t first_measure, std::span<const int> shifts)
        : first_measure_(first_measure), shifts_(shifts) {}

    std::size_t levels() const { return shifts_.size(); }
    int shift(std::size_t level) const { return shifts_[level]; }
    std::uint8_t measure(std::size_t level) const { return std::uint8_t(first_measure_ + level); }

    void add(CountChanges& changes, const FilterKey& filter, std::uint64_t value, std::int64_t n) const;

    // The buckets whose sum is the number of rows with a smaller value, or with a greater one.
    std::vector<CountRange> below(std::uint64_t value) const;
    std::vector<CountRange> above(std::uint64_t value) const;

private:
    std::uint8_t first_measure_;
    std::span<const int> shifts_;
};

}  // namespace tradepost::lists
