// What stands for the time of a row that has none, in a Position.
#pragma once
#include "core/time.h"

namespace tradepost::lists {

inline constexpr core::Time no_time = core::Time::min();

}  // namespace tradepost::lists
