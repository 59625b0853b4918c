// What the answer of a receiver does to a delivery: one rule for webhooks, push messages and images. The kinds differ in data alone.
#pragma once
#include <array>

#include "net/client.h"

namespace tradepost::deliver {

enum class Verdict {
    taken,    // 2xx
    gone,     // the receiver says that it has ended
    refused,  // no further attempt helps
    later,    // it is tried again, after outbox::wait_after()
};

struct Policy {
    std::array<int, 2> gone = {};  // statuses; 0: none
    bool refusals_end = true;      // false: whoever owns the receiver may mend it, so refusals are tried again, too
};

// A 410 and days of failures switch a webhook off. A subscription ends with what push services answer then (RFC 8030, section 7.3).
inline constexpr Policy webhook_policy{.gone = {410}, .refusals_end = false}, push_policy{.gone = {404, 410}}, image_policy{};

// 408, 425, 429, 5xx and no answer at all may pass. Any other status, an answer that is too large, and an address that must not be reached are
// refusals.
Verdict judge(const Policy& policy, const net::Answer& answer);
Verdict judge(const Policy& policy, int status);  // of an answer without a failure

}  // namespace tradepost::deliver
