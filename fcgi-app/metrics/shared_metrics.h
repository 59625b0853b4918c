// The mapped file of metrics: one slot is written by this worker, all are read.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/events.h"
#include "core/shared_mapping.h"
#include "limits/cost.h"

namespace tradepost::metrics {

// The layout of the shared memory of an instance's metrics: a header, then one slot for each worker. Only the slot's worker writes to
// it, so that counting needs no lock. The counters of a worker that has ended stay, and the next worker of the slot adds to them.

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

// The requests of one cost.
struct Admitted {
    Counter refused_by_caller, refused_by_pool;
    Counter last_refused_by_pool;  // seconds since 1970
    Counter waits[bounds_us.size() + 1];
    Counter microseconds;  // of all waits
};

struct alignas(64) Slot {
    Counter starts;   // workers that used the slot
    Counter busy;     // 0 between requests, else the cost of the request and 1
    Counter pool[2];  // the name of the worker's pool, up to 16 characters
    Counter database_microseconds;
    Counter errors[error_kinds.size()];
    Counter limited[limit_classes.size()];
    Counter audited[audit::event_names.size()];
    Searches searches[search_engines.size()];
    Admitted admitted[limits::cost_names.size()];
    // The Series follow.
};

// For counters that no other thread or process writes.
inline void add(Counter& counter, std::uint64_t count = 1) {
    counter.store(counter.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
}

// The worker's slot is reserved by a lock on one byte of the file, which the kernel releases when the process ends for whatever
// reason.
class SharedMetrics {
public:
    // A file with `series_count` series in a slot; `series_hash` identifies the program's route table. With `create` a file that is
    // missing, damaged or of another program is replaced; with `leave` the result is then empty. Empty also when no slot is free.
    // Throws as core::SharedMapping::open().
    static std::unique_ptr<SharedMetrics> open(const std::string& path, std::size_t series_count, std::uint64_t series_hash,
                                               const std::string& pool, core::SharedMapping::WhenMissing when_missing);

    bool is_current() const noexcept { return mapping_->is_current(); }
    bool is_whole() const noexcept { return mapping_->is_whole(); }

    Slot& own() { return slot(own_); }
    Series& own_series(std::size_t index) { return series(own_, index); }

    const Slot& slot(std::size_t index) const { return *reinterpret_cast<const Slot*>(at(index)); }
    const Series& series(std::size_t index, std::size_t number) const {
        return reinterpret_cast<const Series*>(at(index) + sizeof(Slot))[number];
    }
    std::string pool(std::size_t index) const;  // the name of the pool that the slot's worker is of
    bool is_own(std::size_t index) const { return index == own_; }
    bool is_alive(std::size_t index) const noexcept;  // whether a running worker has it

private:
    SharedMetrics(std::unique_ptr<core::SharedMapping> mapping, std::size_t slot_bytes)
        : mapping_(std::move(mapping)), slot_bytes_(slot_bytes) {}
    bool take_slot(const std::string& pool);
    char* at(std::size_t index) const { return static_cast<char*>(mapping_->address()) + sizeof_head + index * slot_bytes_; }
    Slot& slot(std::size_t index) { return *reinterpret_cast<Slot*>(at(index)); }
    Series& series(std::size_t index, std::size_t number) { return reinterpret_cast<Series*>(at(index) + sizeof(Slot))[number]; }

    static constexpr std::size_t sizeof_head = 4096;

    std::unique_ptr<core::SharedMapping> mapping_;
    std::size_t slot_bytes_;
    std::size_t own_ = 0;
};

}  // namespace tradepost::metrics
