// Turns at expensive work, shared fairly between those who ask for it: at hashing passwords between addresses, at decoding pictures between
// organisations.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "core/clock.h"
#include "core/file_descriptor.h"
#include "limits/window.h"

namespace tradepost::limits {

// At most `at_once` (1 or 2) processes work for one key at a time, and at most half of the processes (but one of two or three) work or wait for it. All of that
// is locks on bytes of a file, which the kernel releases when a process ends for whatever reason. One object is for one thread.
class Turns {
public:
    // This process belongs to those of `path` from now on. The file is created when it is missing; a file that cannot be used lets
    // everybody through, which is logged once a minute.
    Turns(std::string path, int at_once, const core::Clock& clock);

    // A turn ends with this object.
    class Turn {
    public:
        Turn() = default;  // none was needed
        Turn(Turn&& other) noexcept : turns_(std::exchange(other.turns_, nullptr)), first_(other.first_) {}
        Turn& operator=(Turn&& other) noexcept {
            std::swap(turns_, other.turns_);
            std::swap(first_, other.first_);
            return *this;
        }
        ~Turn() {
            if (turns_) turns_->unlock(first_);
        }

    private:
        friend Turns;
        Turn(Turns* turns, off_t first) : turns_(turns), first_(first) {}
        Turns* turns_ = nullptr;
        off_t first_ = 0;
    };

    enum class Refusal { none, crowded, late };
    struct Taken {
        Turn turn;
        Refusal refusal = Refusal::none;  // crowded: the key has its part of the processes; late: `longest_wait` is over
    };

    // Waits while as many others as may work for `key`, but not longer than `longest_wait`. In the first seconds of this process also
    // waits for a part of the processes: others are still starting, and requests have waited for them. Never throws.
    Taken take(std::string_view key, std::chrono::milliseconds longest_wait) noexcept;

private:
    enum class Lock { ours, taken, failed };

    bool open_if_replaced() noexcept;
    bool join() noexcept;
    int processes() const noexcept;
    Lock lock(off_t byte) noexcept;
    void unlock(off_t first) noexcept;

    std::string path_;
    int at_once_;
    MinuteWarning warn_;
    core::FileDescriptor file_;
    std::chrono::steady_clock::time_point opened_;  // the file, which the other processes join one after the other
};

// Beside the rate limiter's counters, as the metrics; each pool has its own.
inline std::string turns_path(const core::Config& config, const std::string& pool) {
    return config.counters_path() + ":turns-" + pool;
}

}  // namespace tradepost::limits
