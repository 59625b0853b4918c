// Faults that programs are tested with: those that the header X-Test-Fault asks for, and those that an examination makes.
#pragma once
#include <chrono>
#include <optional>
#include <string_view>

#include "core/time.h"

namespace tradepost::api {

struct TestFault {
    enum class Kind {
        too_many,           // 429
        unavailable,        // 503
        gone,               // 410, of examinations alone
        lose_answer,        // the request is carried out, and the answer is 504
        slow,               // answered later
        expire_token,       // 401, as for a token that has expired
        expiring_token,     // answered, with a near end of the token; of examinations alone
        duplicate_webhook,  // of what the request causes; see webhooks::Disturbance
        late_webhook,
        reorder_webhooks,
    };
    Kind kind;
    std::chrono::milliseconds wait{};  // of slow
    core::Time ends{};                 // of expiring_token
};

inline constexpr std::chrono::milliseconds longest_slow{20'000};
inline constexpr std::chrono::seconds retry_after_too_many{3};

// The value of the header, such as "429" or "slow=3000". Empty for what is none.
std::optional<TestFault> parse_test_fault(std::string_view text);

}  // namespace tradepost::api
