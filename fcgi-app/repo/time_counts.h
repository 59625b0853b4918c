// Counts by a time, for lists that are newest first.
#pragma once
#include <algorithm>

#include "core/time.h"
#include "repo/histogram.h"

namespace tradepost::repo {

// Milliseconds since 1970, older times as 0.
inline std::uint64_t time_value(core::Time time) {
    return std::uint64_t(std::max<std::int64_t>(0, time.time_since_epoch().count()));
}

// Widths of about 50 days, 9 hours, 4 minutes and 2 seconds.
inline constexpr int creation_shifts[] = {32, 25, 18, 11};
inline constexpr Histogram creations(1, creation_shifts);

}  // namespace tradepost::repo
