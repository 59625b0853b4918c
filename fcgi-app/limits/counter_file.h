// The memory that all processes of an instance map to share their rate counters.
#pragma once
#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/shared_mapping.h"

namespace tradepost::limits {

// One key's window. All zero is an empty slot.
struct Slot {
    std::uint64_t hash;
    std::int64_t end_ms;  // Unix time; 0: empty. Written last, so that a writer's death leaves the slot empty or whole.
    std::int64_t window_ms;
    std::uint32_t limit;  // when the window began
    std::uint32_t count;
};

struct alignas(64) Set {
    static constexpr std::size_t slot_count = 8;
    Slot slots[slot_count];
};

// A lock for every sixteenth set: enough that workers seldom meet, few enough to initialise at once.
struct alignas(64) Lock {
    pthread_mutex_t mutex;  // shared between processes, and robust
};

struct Header {
    char magic[8];
    std::uint32_t version;
    std::uint32_t mutex_bytes;  // in the C library that initialised the locks
    std::uint64_t file_bytes;
    char boot_id[40];  // a lock that was held at a power failure would be held for ever
    std::uint64_t hash_key[2];
    std::uint64_t checksum;  // of the fields before it
};

struct Layout {
    static constexpr std::size_t lock_count = 1024;
    static constexpr std::size_t set_count = 16384;

    alignas(4096) Header header;
    alignas(4096) Lock locks[lock_count];
    alignas(4096) Set sets[set_count];
};

class CounterFile {
public:
    // Opens or creates `path` as core::SharedMapping::open() does. A file of another version or from before a reboot is replaced
    // like a damaged one. Throws std::runtime_error, which names the setting and the file.
    explicit CounterFile(const std::string& path);

    Layout& layout() { return *static_cast<Layout*>(mapping_->address()); }

    enum class State {
        current,   // `path` names the mapped file
        replaced,  // deleted, replaced or marked as damaged: the mapping still works, but others do not see it
        truncated  // no other process may share the mapping
    };
    State state() const noexcept;

    // Makes every process that has the file mapped see it as replaced, and the first of them create another.
    void mark_damaged() noexcept;

private:
    std::unique_ptr<core::SharedMapping> mapping_;
};

}  // namespace tradepost::limits
