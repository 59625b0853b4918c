#include "limits/shared_memory.h"

#include <time.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "limits/siphash.h"

namespace tradepost::limits {
namespace {

// Holds a set's lock, unless `error()` is not 0.
class Guard {
public:
    Guard(pthread_mutex_t& mutex, std::chrono::milliseconds longest_wait) noexcept
        : mutex_(mutex), error_(pthread_mutex_trylock(&mutex)) {
        if (error_ == EBUSY) {
            timespec until{};
            (void)clock_gettime(CLOCK_MONOTONIC, &until);
            until.tv_nsec += longest_wait.count() % 1000 * 1'000'000;
            until.tv_sec += longest_wait.count() / 1000 + until.tv_nsec / 1'000'000'000;
            until.tv_nsec %= 1'000'000'000;
            error_ = pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until);
        }
        // The holder died. Slots are empty or complete at any moment, so there is nothing to repair.
        if (error_ == EOWNERDEAD) error_ = pthread_mutex_consistent(&mutex);
    }
    ~Guard() {
        if (error_ == 0) pthread_mutex_unlock(&mutex_);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

    int error() const { return error_; }

private:
    pthread_mutex_t& mutex_;
    int error_;
};

// An end more than a window ahead was written before the clock was set back.
bool is_over(const Slot& slot, std::int64_t now, std::int64_t window) {
    return slot.end_ms == 0 || slot.end_ms <= now || slot.end_ms - now > window;
}

// Whether `a` is to be evicted before `b`: it is over, or has used a smaller part of its limit, or ends sooner.
// Parts and not counts, so that 9 of 60 reads do not outlive 8 of 8 sign-ins.
bool is_evicted_before(const Slot& a, const Slot& b, std::int64_t now) {
    const bool a_over = is_over(a, now, a.window_ms), b_over = is_over(b, now, b.window_ms);
    if (a_over || b_over) return a_over && !b_over;
    const std::uint64_t a_part = std::uint64_t{a.count} * b.limit, b_part = std::uint64_t{b.count} * a.limit;
    return a_part != b_part ? a_part < b_part : a.end_ms < b.end_ms;
}

// The key's slot, or the one to evict for it.
Slot& find(Set& set, std::uint64_t hash, std::int64_t now) {
    Slot* victim = &set.slots[0];
    for (Slot& slot : set.slots) {
        if (slot.hash == hash && slot.end_ms != 0) return slot;
        if (is_evicted_before(slot, *victim, now)) victim = &slot;
    }
    return *victim;
}

void begin_window(Slot& slot, std::uint64_t hash, std::int64_t now, core::Rate rate) {
    // A process may be killed between any two of these: the fences keep the compiler from moving them.
    slot.end_ms = 0;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    slot.hash = hash;
    slot.window_ms = window_ms(rate);
    slot.limit = rate.requests;
    slot.count = 0;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    slot.end_ms = now + window_ms(rate);
}

}  // namespace

SharedMemoryLimiter::SharedMemoryLimiter(std::string path, const core::Clock& clock, std::chrono::milliseconds lock_wait)
    : path_(std::move(path)),
      clock_(clock),
      lock_wait_(lock_wait),
      file_(std::make_unique<CounterFile>(path_)),
      warn_(clock, path_) {}

Verdict SharedMemoryLimiter::count(std::string_view rate_class, std::string_view key, core::Rate rate, Use use) noexcept {
    if (!reopen_if_replaced()) return allow_uncounted(rate);
    Layout& layout = file_->layout();

    SipHash hasher(layout.header.hash_key[0], layout.header.hash_key[1]);
    hasher.add(rate_class);
    hasher.add('\0');
    hasher.add(key);
    const std::uint64_t hash = hasher.finish();

    const Guard guard(layout.locks[hash % Layout::lock_count].mutex, lock_wait_);
    if (guard.error() != 0) {
        if (guard.error() != ETIMEDOUT) file_->mark_damaged();
        warn_(std::strerror(guard.error()));
        return allow_uncounted(rate);
    }
    // Read under the lock: an earlier time could be older than a window that another process has just begun, which would then look
    // like one from before the clock was set back.
    const std::int64_t now = clock_.now().time_since_epoch().count();
    Slot& slot = find(layout.sets[hash % Layout::set_count], hash, now);
    if (slot.hash != hash || is_over(slot, now, window_ms(rate))) begin_window(slot, hash, now, rate);
    const bool taken = use == Use::take, allowed = !taken || slot.count < rate.requests;
    if (taken && allowed) ++slot.count;
    if (!taken && slot.count > 0) --slot.count;
    return verdict(allowed, rate, slot.count, slot.end_ms - now);
}

// Checks once a second whether new workers would open another file, and opens it then. False when there is no file.
bool SharedMemoryLimiter::reopen_if_replaced() noexcept {
    timespec now{};
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    if (now.tv_sec < next_look_s_) return file_ != nullptr;
    next_look_s_ = now.tv_sec + 1;
    const CounterFile::State state = file_ ? file_->state() : CounterFile::State::truncated;
    if (state == CounterFile::State::current) return true;
    try {
        file_ = std::make_unique<CounterFile>(path_);
    } catch (const std::exception& error) {
        warn_(error.what());
        if (state == CounterFile::State::truncated) file_.reset();
    }
    return file_ != nullptr;
}

}  // namespace tradepost::limits
