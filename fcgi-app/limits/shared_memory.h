// Counters in memory that the processes of one host share. Bounded: 16384 sets of 8 slots, some 4 MiB whatever comes.
#pragma once
#include <chrono>
#include <memory>
#include <string>

#include "limits/counter_file.h"
#include "limits/limiter.h"
#include "limits/window.h"

namespace tradepost::limits {

// Exact among any number of processes as long as a key's set has room. In a full set a new key takes an expired slot, or
// else that of the key which has spent the least of its limit: a flood of new keys does not free one that has spent all.
// A process that dies while it counts never stops the others; one that is stopped there costs them 0.5 s a request.
// A clock that is set back keeps nobody out longer than one window. One object is for one thread.
class SharedMemoryLimiter final : public Limiter {
public:
    // Throws std::runtime_error as CounterFile does.
    SharedMemoryLimiter(std::string path, const core::Clock& clock);

    Verdict count(std::string_view rate_class, std::string_view key, core::Rate rate) noexcept override;

private:
    bool follow_file() noexcept;

    std::string path_;
    const core::Clock& clock_;
    std::unique_ptr<CounterFile> file_;  // empty: it was truncated, and could not be made again
    MinuteWarning warn_;
    std::int64_t next_look_s_ = 0;  // by the monotonic clock
};

}  // namespace tradepost::limits
