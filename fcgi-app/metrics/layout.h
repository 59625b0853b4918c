// The memory that all workers of an instance share for their figures: a head, then one slot a worker. Only a slot's worker writes
// to it, so that counting needs no lock; a worker that ends, however it ends, leaves its figures to whoever takes the slot next.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tradepost::metrics {

using Counter = std::atomic<std::uint64_t>;
static_assert(Counter::is_always_lock_free, "a lock would belong to one process");

inline constexpr std::size_t slot_count = 128;

// Statuses that are counted each; any other is counted as the last.
inline constexpr std::array statuses{200, 201, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429, 500, 503, 0};

// Upper bounds of the latency histogram in microseconds; what is slower is in the last bucket.
inline constexpr std::array<std::uint64_t, 14> bounds_us{500,     1'000,   2'500,   5'000,     10'000,    25'000,    50'000,
                                                         100'000, 250'000, 500'000, 1'000'000, 2'500'000, 5'000'000, 10'000'000};

inline constexpr std::array error_kinds{"unavailable", "conflict", "timeout", "other"};
inline constexpr std::array limit_classes{"auth", "public", "write"};

struct Head {
    char magic[8];
    std::uint32_t version;
    std::uint32_t slots;
    std::uint64_t slot_bytes;
    std::uint64_t series;  // hash of the route table: a program with another one counts in a file of its own
};

// The requests of one method and route.
struct Series {
    Counter by_status[statuses.size()];
    Counter buckets[bounds_us.size() + 1];
    Counter microseconds;
};

struct alignas(64) Slot {
    Counter starts;   // workers that have had it
    Counter busy;     // 1 while it serves
    Counter pool[2];  // its worker's, as up to 16 characters
    Counter database_microseconds;
    Counter errors[error_kinds.size()];
    Counter limited[limit_classes.size()];
    // The Series follow.
};

// Ours alone to write: no other thread or process comes between.
inline void add(Counter& counter, std::uint64_t count = 1) {
    counter.store(counter.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
}

}  // namespace tradepost::metrics
