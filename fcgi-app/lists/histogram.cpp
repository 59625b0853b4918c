#include "lists/histogram.h"

namespace tradepost::lists {
namespace {

constexpr std::uint64_t greatest = INT64_MAX;

}  // namespace

void Histogram::add(CountChanges& changes, const FilterKey& filter, std::uint64_t value, std::int64_t n) const {
    for (std::size_t level = 0; level < levels(); ++level) changes.add({filter, measure(level), value >> shift(level)}, n);
}

std::vector<CountRange> Histogram::below(std::uint64_t value) const {
    std::vector<CountRange> ranges;
    for (std::size_t level = 0; level < levels(); ++level) {
        const auto bucket = value >> shift(level);
        // Those before it that the level above has not counted.
        const auto first = level == 0 ? 0 : (value >> shift(level - 1)) << (shift(level - 1) - shift(level));
        if (bucket > first) ranges.push_back({measure(level), first, bucket - 1});
    }
    return ranges;
}

std::vector<CountRange> Histogram::above(std::uint64_t value) const {
    std::vector<CountRange> ranges;
    for (std::size_t level = 0; level < levels(); ++level) {
        const auto bucket = value >> shift(level);
        const auto last = level == 0 ? greatest : (((value >> shift(level - 1)) + 1) << (shift(level - 1) - shift(level))) - 1;
        if (bucket < last) ranges.push_back({measure(level), bucket + 1, last});
    }
    return ranges;
}

}  // namespace tradepost::lists
