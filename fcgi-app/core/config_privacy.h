// The settings of [privacy].
#pragma once
#include <optional>
#include <string_view>

#include "core/time.h"

namespace tradepost::core {

// How long something is kept, such as "24 months".
struct Retention {
    enum class Unit { day, month, year } unit;
    int count;

    // What is older than this is kept no longer. A month ends with its last day.
    Time before(Time now) const;
};

struct PrivacyConfig {
    std::optional<Retention> enquiry_retention;  // none: enquiries are kept
};

// "1 day" … "3650 days", the same with months and years, up to ten years. Empty for anything else.
std::optional<Retention> parse_retention(std::string_view text);

}  // namespace tradepost::core
