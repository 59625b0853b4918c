// Rate limits: fixed-window counters by rate class and key, shared by all workers of an instance.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/clock.h"
#include "core/config.h"

namespace tradepost::limits {

// The result for one request. `reset` is the number of seconds until the window ends, rounded up: a client that sleeps so long succeeds.
struct Verdict {
    bool allowed;
    std::uint32_t limit;
    std::uint32_t remaining;
    std::uint32_t reset;  // 1 … window
};

enum class Use : std::uint8_t {
    take,       // one request more
    give_back,  // one less, of a window that has not ended
};

class Limiter {
public:
    virtual ~Limiter() = default;

    // Counts one request of `rate_class` by `key` and returns whether it is allowed. A window begins with a key's first
    // request; a refused request neither counts nor prolongs it. Never throws: if the store is not available, the request is
    // allowed (remaining = limit), and that is logged once a minute.
    virtual Verdict count(std::string_view rate_class, std::string_view key, core::Rate rate, Use use = Use::take) noexcept = 0;
};

// The store of `config.rate_limits.store`. Throws std::runtime_error, which names the file, when shared memory cannot be created.
std::unique_ptr<Limiter> make_limiter(const core::Config& config, const core::Clock& clock);

// The key of a client's address: the whole IPv4 address (also when mapped into IPv6), or the /64 of an IPv6 address.
std::string address_key(std::string_view address);

}  // namespace tradepost::limits
