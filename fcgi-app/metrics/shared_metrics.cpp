#include "metrics/shared_metrics.h"

#include <fcntl.h>

#include <cstring>

namespace tradepost::metrics {
namespace {

constexpr char magic[8] = {'T', 'P', 'M', 'E', 'T', 'R', 'I', 'C'};
constexpr std::uint32_t layout_version = 2;

Head head(std::size_t slot_bytes, std::uint64_t series_hash) {
    Head head{};
    std::memcpy(head.magic, magic, sizeof magic);
    head.version = layout_version;
    head.slots = slot_count;
    head.slot_bytes = slot_bytes;
    head.series = series_hash;
    return head;
}

// Of an open file description, not of a process: the library that opens and closes the file elsewhere does not release it.
struct flock lock_of(std::size_t slot) {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = off_t(slot);
    lock.l_len = 1;
    return lock;
}

}  // namespace

std::unique_ptr<SharedMetrics> SharedMetrics::open(const std::string& path, std::size_t series_count, std::uint64_t series_hash,
                                                   const std::string& pool, core::SharedMapping::WhenMissing when_missing) {
    constexpr std::size_t line = 64;  // two workers do not share one
    const std::size_t slot_bytes = (sizeof(Slot) + series_count * sizeof(Series) + line - 1) / line * line;
    const auto expected = head(slot_bytes, series_hash);
    const core::SharedMapping::Content content{
        sizeof_head + slot_count * slot_bytes,
        // Every counter is 0 in a file that is all zeros.
        [&expected](void* address) { std::memcpy(address, &expected, sizeof expected); },
        [&expected](const void* address) { return std::memcmp(address, &expected, sizeof expected) == 0; }};
    auto mapping = core::SharedMapping::open(path, content, when_missing);
    if (!mapping) return nullptr;
    std::unique_ptr<SharedMetrics> opened(new SharedMetrics(std::move(mapping), slot_bytes));
    return opened->take_slot(pool) ? std::move(opened) : nullptr;
}

// The first free slot: those of ended workers come before unused ones, so that few are ever in use.
bool SharedMetrics::take_slot(const std::string& pool) {
    for (own_ = 0; own_ < slot_count; ++own_) {
        auto lock = lock_of(own_);
        if (fcntl(mapping_->descriptor(), F_OFD_SETLK, &lock) != 0) continue;
        std::uint64_t name[2] = {};
        std::memcpy(name, pool.data(), std::min(pool.size(), sizeof name));
        auto& slot = own();
        for (int i = 0; i < 2; ++i) slot.pool[i] = name[i];
        slot.busy = 0;
        add(slot.starts);
        return true;
    }
    return false;
}

std::string SharedMetrics::pool(std::size_t index) const {
    char name[17] = {};
    for (std::size_t part = 0; part < 2; ++part) {
        const auto characters = slot(index).pool[part].load(std::memory_order_relaxed);
        std::memcpy(name + 8 * part, &characters, sizeof characters);
    }
    return name;
}

bool SharedMetrics::is_alive(std::size_t index) const noexcept {
    if (is_own(index)) return true;
    auto lock = lock_of(index);
    return fcntl(mapping_->descriptor(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace tradepost::metrics
