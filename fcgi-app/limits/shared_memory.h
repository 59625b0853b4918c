// Rate counters in memory that the processes of one host share: 16384 sets of 8 slots, some 4 MiB, which never grow.
#pragma once
#include <chrono>
#include <memory>
#include <string>

#include "limits/counter_file.h"
#include "limits/limiter.h"
#include "limits/window.h"

namespace tradepost::limits {

// Exact among any number of processes as long as a key's set has a free slot. In a full set a new key takes an expired slot, or
// else that of the key which has used the smallest part of its limit: a flood of new keys does not free a key that has used all.
// A process that dies while it counts does not block the others; one that is stopped there costs them `lock_wait` per request.
// A clock that is set back blocks no client longer than one window. One object is for one thread.
class SharedMemoryLimiter final : public Limiter {
public:
    // Throws std::runtime_error as CounterFile does.
    SharedMemoryLimiter(std::string path, const core::Clock& clock, std::chrono::milliseconds lock_wait);

    Verdict count(std::string_view rate_class, std::string_view key, core::Rate rate, Use use = Use::take) noexcept override;

private:
    bool reopen_if_replaced() noexcept;

    std::string path_;
    const core::Clock& clock_;
    const std::chrono::milliseconds lock_wait_;
    std::unique_ptr<CounterFile> file_;  // empty: it was truncated, and could not be created again
    MinuteWarning warn_;
    std::int64_t next_look_s_ = 0;  // by the monotonic clock
};

}  // namespace tradepost::limits
