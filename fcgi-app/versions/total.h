// The total of a list, and how long it holds.
#pragma once
#include <cstdint>
#include <optional>

#include "core/time.h"

namespace tradepost::versions {

struct Total {
    std::int64_t rows = 0;
    std::optional<core::Time> valid_until = {};  // if nobody writes; empty: without end
    std::int64_t hidden = 0;                     // rows that are counted and not shown (lists::Hidden)
    // Of events: how many are not over, and when the first of these begins or began.
    std::int64_t upcoming = 0;
    core::Time first_upcoming = {};
};

}  // namespace tradepost::versions
