// The histogram by time that stock, enquiries and posts share.
#pragma once
#include "lists/histogram.h"

namespace tradepost::lists {

// Widths of about 50 days, 9 hours, 4 minutes and 2 seconds.
inline constexpr int creation_shifts[] = {32, 25, 18, 11};
inline constexpr Histogram creations(1, creation_shifts);

}  // namespace tradepost::lists
