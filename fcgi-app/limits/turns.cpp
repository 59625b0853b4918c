#include "limits/turns.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <thread>

namespace tradepost::limits {
namespace {

// The bytes of a key: two for those who work, then one for each process that works or waits.
constexpr off_t stride = 128, working = 2;
constexpr int most_processes = 64;
// Above the bytes of all keys: one for each process.
constexpr off_t members = off_t(1) << 62;

constexpr std::chrono::milliseconds look_again{10};
constexpr std::chrono::seconds starting{5};

off_t first_byte(std::string_view key) {
    return off_t(XXH3_64bits(key.data(), key.size()) >> 9) * stride;
}

struct flock range(short type, off_t start, off_t length) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = start;
    lock.l_len = length;
    return lock;
}

}  // namespace

Turns::Turns(std::string path, int at_once, const core::Clock& clock)
    : path_(std::move(path)), at_once_(at_once), warn_(clock, path_) {
    open_if_replaced();
}

Turns::Taken Turns::take(std::string_view key, std::chrono::milliseconds longest_wait) noexcept {
    const auto until = std::chrono::steady_clock::now() + longest_wait;
    if (!open_if_replaced()) return {};
    const off_t first = first_byte(key);

    Turn turn(this, first);
    auto place = lock(first + working);
    while (place == Lock::taken) {
        const int most = processes() / 2;
        for (int i = 1; i < most && place == Lock::taken; ++i) place = lock(first + working + i);
        if (place != Lock::taken) break;
        const auto now = std::chrono::steady_clock::now();
        if (now >= until || now >= opened_ + starting) return {{}, Refusal::crowded};
        std::this_thread::sleep_for(look_again);
        place = lock(first + working);
    }
    while (place == Lock::ours) {
        auto work = Lock::taken;
        for (off_t i = 0; i < at_once_ && work == Lock::taken; ++i) work = lock(first + i);
        if (work == Lock::ours) return {std::move(turn), Refusal::none};
        if (work == Lock::failed) break;
        if (std::chrono::steady_clock::now() >= until) return {{}, Refusal::late};
        std::this_thread::sleep_for(look_again);
    }
    warn_(std::strerror(errno));
    return {};
}

// Whether there is a file. Another one may have its name by now, which new processes use.
bool Turns::open_if_replaced() noexcept {
    struct stat ours {};
    struct stat named {};
    if (file_ && fstat(file_.get(), &ours) == 0 && lstat(path_.c_str(), &named) == 0 && ours.st_ino == named.st_ino &&
        ours.st_dev == named.st_dev)
        return true;
    opened_ = std::chrono::steady_clock::now();
    file_ = core::FileDescriptor(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    if (!file_ || fstat(file_.get(), &ours) != 0) {
        warn_(std::strerror(errno));
        file_.reset();
    } else if (!S_ISREG(ours.st_mode) || ours.st_uid != geteuid()) {
        warn_("it is no file, or another user's: remove it");
        file_.reset();
    } else if (!join()) {
        warn_("too many processes");
    }
    return bool(file_);
}

bool Turns::join() noexcept {
    for (int i = 0; i < most_processes; ++i)
        if (lock(members + i) == Lock::ours) return true;
    return false;
}

// Ours and others; our own lock is no obstacle to us.
int Turns::processes() const noexcept {
    int count = 1;
    for (int i = 0; i < most_processes; ++i) {
        auto other = range(F_WRLCK, members + i, 1);
        if (fcntl(file_.get(), F_OFD_GETLK, &other) == 0 && other.l_type != F_UNLCK) ++count;
    }
    return count;
}

Turns::Lock Turns::lock(off_t byte) noexcept {
    auto lock = range(F_WRLCK, byte, 1);
    if (fcntl(file_.get(), F_OFD_SETLK, &lock) == 0) return Lock::ours;
    return errno == EAGAIN || errno == EACCES ? Lock::taken : Lock::failed;
}

void Turns::unlock(off_t first) noexcept {
    auto all = range(F_UNLCK, first, stride);
    fcntl(file_.get(), F_OFD_SETLK, &all);
}

}  // namespace tradepost::limits
