// The file that all processes of an instance map to share their counters: its layout, and how it comes to be.
#pragma once
#include <pthread.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

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
    std::uint32_t mutex_bytes;  // of the C library that made the locks
    std::uint64_t file_bytes;
    char boot_id[40];  // a lock that was held when the machine lost power would be held for ever
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

// An open mapping of the file. Its size never changes; every byte is allocated when it is made, so that a full
// file system fails the start with a message and not a request with SIGBUS.
class CounterFile {
public:
    // Opens `path`, or makes it (mode 0600) when it is missing, damaged, of another version or from before a reboot; what is
    // re-made gets a new inode, since others may still have the old one mapped. Any number of processes may do so at once and
    // end with the same file. Throws std::runtime_error, naming the file, when that cannot be done, and when the file is a
    // symbolic link, not a regular file or not ours.
    explicit CounterFile(const std::string& path);
    ~CounterFile();
    CounterFile(const CounterFile&) = delete;
    CounterFile& operator=(const CounterFile&) = delete;

    Layout& layout() { return *layout_; }

    enum class State {
        current,   // what `path` names is what we have mapped
        replaced,  // deleted, re-made or marked as damaged: the mapping still works, but others will not see it
        truncated  // touching the mapping would raise SIGBUS
    };
    State state() const noexcept;

    // Makes every process that has the file mapped see it as replaced, and the first of them make another.
    void mark_damaged() noexcept;

private:
    bool open_existing();  // false: there is none any more, or it had to be unlinked
    bool make();           // false: somebody else was quicker
    bool names_our_inode() const noexcept;
    void map();
    [[noreturn]] void fail(const std::string& what) const;

    std::string path_;
    int fd_ = -1;
    Layout* layout_ = nullptr;
};

}  // namespace tradepost::limits
