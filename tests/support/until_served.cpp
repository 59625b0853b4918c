#include "support/until_served.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace tradepost::test {
namespace {

std::atomic<int> repeated = 0;

}  // namespace

Answer until_served(const std::function<Answer()>& send, Repeats repeats) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    for (;;) {
        auto answer = send();
        const auto retry_after = answer.header("retry-after");
        if (answer.status != 503 || !retry_after || std::chrono::steady_clock::now() > end) return answer;
        if (repeats == Repeats::counted) ++repeated;
        std::this_thread::sleep_for(std::chrono::seconds(std::clamp(std::atoi(retry_after->c_str()), 0, 1)));
    }
}

int counted_repeats() {
    return repeated;
}

}  // namespace tradepost::test
