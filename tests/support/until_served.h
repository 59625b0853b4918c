// Repeats requests whose answer is 503 with Retry-After, as clients do. The product refuses work that a slow machine cannot do in time.
#pragma once
#include <functional>

#include "support/http_client.h"

namespace tradepost::test {

// `expected`: the test itself makes the server busy, so its repeats are not counted.
enum class Repeats { counted, expected };

// Sends a request, and sends it again while the answer is 503 with Retry-After, for at most two minutes. Waits for Retry-After before each
// repeat, but at most one second. Returns the last answer. For requests that may be repeated: GET, sign-ins, and writes with an
// Idempotency-Key. Not for tests of the 503 itself.
Answer until_served(const std::function<Answer()>& send, Repeats repeats = Repeats::counted);

// The number of counted repeats in this process. More than `most_repeats` in a run of a suite is a fault of the product, or the machine is
// too slow for the suite.
int counted_repeats();
inline constexpr int most_repeats = 20;

}  // namespace tradepost::test
