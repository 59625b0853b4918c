// For processes that a test forks.
#pragma once
#include <chrono>

#include "core/uuid.h"

namespace tradepost::test {

// Call it in the child. Where tests have asked for ids of a later time, the children of one process would else go on with the same ones.
inline void make_own_ids() {
    constexpr std::int64_t later_than_all_tests = std::int64_t(1) << 47;  // milliseconds
    (void)core::Uuid::v7(core::Time(std::chrono::milliseconds(later_than_all_tests)));
}

}  // namespace tradepost::test
