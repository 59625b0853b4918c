// The clock. All code reads the time through it, so that tests can set it.
#pragma once
#include "core/time.h"

namespace tradepost::core {

class Clock {
public:
    virtual ~Clock() = default;
    virtual Time now() const = 0;
};

class SystemClock final : public Clock {
public:
    Time now() const override { return std::chrono::time_point_cast<milliseconds>(std::chrono::system_clock::now()); }
};

// For tests: stands still until it is set.
class ManualClock final : public Clock {
public:
    explicit ManualClock(Time start) : now_(start) {}
    Time now() const override { return now_; }
    void set(Time time) { now_ = time; }
    void advance(milliseconds by) { now_ += by; }

private:
    Time now_;
};

}  // namespace tradepost::core
