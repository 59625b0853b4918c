// Fixed-window counters, one a rate class and key, shared by every worker of an instance.
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/clock.h"
#include "core/config.h"

namespace tradepost::limits {

// What one request found. `reset` is the whole seconds until the window ends, rounded up: sleeping them succeeds.
struct Verdict {
    bool allowed;
    std::uint32_t limit;
    std::uint32_t remaining;
    std::uint32_t reset;  // 1 … window
};

class Limiter {
public:
    virtual ~Limiter() = default;

    // Counts one request of `rate_class` by `key` and says whether it may pass. A window begins with a key's first
    // request; a refused request neither counts nor prolongs it. Never throws: a store that is away lets the request
    // through (remaining = limit) and says so in the log once a minute.
    virtual Verdict count(std::string_view rate_class, std::string_view key, core::Rate rate) noexcept = 0;
};

// The store that `config.store` names. Throws std::runtime_error, naming the file, when shared memory cannot be made.
std::unique_ptr<Limiter> make_limiter(const core::Config& config, const core::Clock& clock);

// A client's address as its bucket counts: IPv4 (also when mapped into IPv6) whole, IPv6 by its /64.
std::string address_key(std::string_view address);

}  // namespace tradepost::limits
