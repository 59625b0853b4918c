#include "limits/turns.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "core/byte_locks.h"

namespace tradepost::limits {
namespace {

// The bytes of a key: its places, then the turns of those who have a place.
constexpr off_t stride = 2 * Turns::most_places, turns_begin = Turns::most_places;

constexpr std::chrono::milliseconds retry_after{2};

off_t first_byte(std::string_view key) {
    return off_t(XXH3_64bits(key.data(), key.size()) >> 9) * stride;
}

}  // namespace

Turns::Taken Turns::take(std::string_view key, int places) noexcept {
    if (!open_if_replaced()) return {};
    const off_t first = first_byte(key);
    const auto number = lock_one_of(first, places, {});
    if (!number) return {{}, false};
    return *number < 0 ? Taken() : Taken{Place(this, first, *number)};
}

bool Turns::Place::work(int at_once, std::chrono::milliseconds longest_wait) noexcept {
    return !turns_ || turns_->lock_one_of(first_ + turns_begin, at_once, longest_wait).has_value();
}

std::optional<int> Turns::lock_one_of(off_t first, int count, std::chrono::milliseconds longest_wait) noexcept {
    const auto until = std::chrono::steady_clock::now() + longest_wait;
    for (;;) {
        for (int i = 0; i < std::min(count, most_places); ++i) {
            const auto locked = core::lock_byte(file_.get(), first + i);
            if (locked == core::ByteLock::ours) return i;
            if (locked == core::ByteLock::taken) continue;
            warn_(std::strerror(errno));
            return -1;
        }
        const auto left = until - std::chrono::steady_clock::now();
        if (left <= left.zero()) return {};
        std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(left, retry_after));
    }
}

bool Turns::is_full(const std::string& path, std::string_view key, int places) noexcept {
    const core::FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!file) return false;
    for (int i = 0; i < places; ++i)
        if (!core::others_lock(file.get(), first_byte(key) + i, 1)) return false;
    return true;
}

// Whether there is a file. Another one may have its name by now, which new processes use.
bool Turns::open_if_replaced() noexcept {
    struct stat ours {};
    struct stat named {};
    if (file_ && fstat(file_.get(), &ours) == 0 && lstat(path_.c_str(), &named) == 0 && ours.st_ino == named.st_ino &&
        ours.st_dev == named.st_dev)
        return true;
    std::string why;
    file_ = core::open_lock_file(path_, why);
    if (!file_) warn_(why);
    return bool(file_);
}

void Turns::unlock(off_t first) noexcept {
    core::unlock_bytes(file_.get(), first, stride);
}

}  // namespace tradepost::limits
