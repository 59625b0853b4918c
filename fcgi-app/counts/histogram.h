// A histogram: counts of rows by the value of a number or time column, in buckets of several widths, so that the sum over any range reads
// few buckets.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/time.h"
#include "counts/counts.h"

namespace tradepost::counts {

// A time as counts hold it: milliseconds since 1970, and 0 for an earlier time.
inline std::uint64_t counted_time(core::Time time) {
    return std::uint64_t(std::max<std::int64_t>(0, time.time_since_epoch().count()));
}

// Level i has buckets of 2^shifts[i] values and is kept as the measure first_measure + i. The shifts descend. With a last shift of 0 sums
// are exact; otherwise the values in one bucket of the last level cannot be told apart.
class Histogram {
public:
    constexpr Histogram(std::uint8_t first_measure, std::span<const int> shifts)
        : first_measure_(first_measure), shifts_(shifts) {}

    std::size_t levels() const { return shifts_.size(); }
    int shift(std::size_t level) const { return shifts_[level]; }
    std::uint8_t measure(std::size_t level) const { return std::uint8_t(first_measure_ + level); }
    // The first `levels` of these, or all if there are fewer.
    Histogram first(std::size_t levels) const { return {first_measure_, shifts_.first(std::min(levels, shifts_.size()))}; }

    void add(Changes& changes, const Key& key, std::uint64_t value, std::int64_t n) const;

    // The buckets whose sum is the number of rows with a smaller value, or with a greater one.
    std::vector<Buckets> below(std::uint64_t value) const;
    std::vector<Buckets> above(std::uint64_t value) const;

private:
    std::uint8_t first_measure_;
    std::span<const int> shifts_;
};

// The histogram by time that stock, enquiries and posts share. Its buckets are about 50 days, 9 hours, 4 minutes and 2 seconds wide.
inline constexpr int creation_shifts[] = {32, 25, 18, 11};
inline constexpr Histogram creations(1, creation_shifts);

// Below this offset, reading the index from its beginning is faster than find_offset().
inline constexpr std::int64_t worth_a_search = 1000;

// `skipped` rows of the list have the value `before` in the column of the order, or a greater one. The others follow them.
struct OffsetStart {
    std::int64_t before;
    std::int64_t skipped;
};

inline core::Time time_of(const OffsetStart& start) {
    return core::Time(core::milliseconds(start.before));
}

// Finds the start nearest to the row at `offset` without reading the rows before it. `keys` are those of disjoint parts of the table's rows,
// `histogram` is that of their order, and `not_shown` are the values of rows that are counted and not shown. `negated`: the rows are in the
// order of the negative values. At most one round trip per level of the histogram. Returns nothing if there is no row at `offset`, or the
// counts are not complete.
std::optional<OffsetStart> find_offset(db::Connection& connection, std::string_view table, std::span<const Key> keys,
                                       const Histogram& histogram, std::span<const std::uint64_t> not_shown, std::int64_t offset,
                                       bool negated = false);

}  // namespace tradepost::counts
