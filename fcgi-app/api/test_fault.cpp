#include "api/test_fault.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tradepost::api {

std::optional<TestFault> parse_test_fault(std::string_view text) {
    using Kind = TestFault::Kind;
    static constexpr std::pair<std::string_view, Kind> names[] = {{"429", Kind::too_many},
                                                                  {"503", Kind::unavailable},
                                                                  {"lose-answer", Kind::lose_answer},
                                                                  {"expire-token", Kind::expire_token},
                                                                  {"duplicate-webhook", Kind::duplicate_webhook},
                                                                  {"late-webhook", Kind::late_webhook},
                                                                  {"reorder-webhooks", Kind::reorder_webhooks}};
    for (const auto& [name, kind] : names)
        if (name == text) return TestFault{kind};
    constexpr std::string_view slow = "slow=";
    if (!text.starts_with(slow)) return {};
    text.remove_prefix(slow.size());
    int milliseconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), milliseconds);
    if (error != std::errc() || end != text.data() + text.size() || milliseconds < 1 || milliseconds > longest_slow.count())
        return {};
    return TestFault{Kind::slow, std::chrono::milliseconds(milliseconds)};
}

}  // namespace tradepost::api
