// The layout of the shared memory of an instance's metrics: a header, then one slot for each worker. Only the slot's worker writes to
// it, so that counting needs no lock. The counters of a worker that has ended stay, and the next worker of the slot adds to them.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "audit/events.h"

namespace tradepost::metrics {

using Counter = std::atomic<std::uint64_t>;
static_assert(Counter::is_always_lock_free, "a lock would belong to one process");

inline constexpr std::size_t slot_count = 128;

// Statuses with a counter of their own; all others are counted as the last.
inline constexpr std::array statuses{200, 201, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429, 500, 503, 0};

// Upper bounds of the latency histogram in microseconds; slower requests are in the last bucket.
inline constexpr std::array<std::uint64_t, 14> bounds_us{500,     1'000,   2'500,   5'000,     10'000,    25'000,    50'000,
                                                         100'000, 250'000, 500'000, 1'000'000, 2'500'000, 5'000'000, 10'000'000};

inline constexpr std::array error_kinds{"unavailable", "conflict", "timeout", "other"};
inline constexpr std::array search_engines{"mysql", "sphinx"};
inline constexpr std::array limit_classes{"auth", "auth_address", "public", "write"};

struct Head {
    char magic[8];
    std::uint32_t version;
    std::uint32_t slots;
    std::uint64_t slot_bytes;
    std::uint64_t series;  // hash of the route table and the events: a program with others uses another file
};

// The requests of one method and route.
struct Series {
    Counter by_status[statuses.size()];
    Counter buckets[bounds_us.size() + 1];
    Counter microseconds;
};

// The searches of one engine.
struct Searches {
    Counter buckets[bounds_us.size() + 1];
    Counter microseconds;
};

struct alignas(64) Slot {
    Counter starts;   // workers that used the slot
    Counter busy;     // 1 during a request
    Counter pool[2];  // the name of the worker's pool, up to 16 characters
    Counter database_microseconds;
    Counter errors[error_kinds.size()];
    Counter limited[limit_classes.size()];
    Counter audited[audit::event_names.size()];
    Searches searches[search_engines.size()];
    // The Series follow.
};

// For counters that no other thread or process writes.
inline void add(Counter& counter, std::uint64_t count = 1) {
    counter.store(counter.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
}

}  // namespace tradepost::metrics
