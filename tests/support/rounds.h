// How long random tests are.
#pragma once
#include <algorithm>
#include <cstdlib>

namespace tradepost::test {

// How many of these rounds a random test makes: all of them with TRADEPOST_TEST_LONG, else every fourth, and one at least.
inline int rounds(int all) {
    const char* const is_long = std::getenv("TRADEPOST_TEST_LONG");
    return is_long && *is_long ? all : std::max(1, all / 4);
}

}  // namespace tradepost::test
