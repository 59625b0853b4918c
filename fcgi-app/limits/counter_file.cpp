#include "limits/counter_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "core/crypto.h"
#include "core/shared_file.h"

namespace tradepost::limits {
namespace {

constexpr char magic[8] = {'T', 'P', 'L', 'I', 'M', 'I', 'T', 'S'};
constexpr std::uint32_t version = 1;

std::string boot_id() {
    std::string id;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
    return id.substr(0, sizeof(Header::boot_id) - 1);
}

std::uint64_t checksum(const Header& header) {
    return XXH3_64bits(&header, offsetof(Header, checksum));
}

bool is_sound(const Header& header) {
    return std::memcmp(header.magic, magic, sizeof magic) == 0 && header.version == version &&
           header.mutex_bytes == sizeof(pthread_mutex_t) && header.file_bytes == sizeof(Layout) &&
           header.checksum == checksum(header);
}

// A sandbox may hide the boot id from some processes and not from others: unknown counts as the same.
bool is_of_this_boot(const Header& header) {
    const std::string now = boot_id();
    return now.empty() || header.boot_id[0] == '\0' || now == header.boot_id;
}

void initialise(Layout& layout) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    for (Lock& lock : layout.locks) pthread_mutex_init(&lock.mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);

    Header header{};
    std::memcpy(header.magic, magic, sizeof magic);
    header.version = version;
    header.mutex_bytes = sizeof(pthread_mutex_t);
    header.file_bytes = sizeof(Layout);
    boot_id().copy(header.boot_id, sizeof header.boot_id - 1);
    const std::string key = core::random_bytes(sizeof header.hash_key);
    std::memcpy(header.hash_key, key.data(), sizeof header.hash_key);
    header.checksum = checksum(header);
    layout.header = header;
}

}  // namespace

CounterFile::CounterFile(const std::string& path) : path_(path) {
    try {
        while (!open_existing() && !make()) {
        }
    } catch (...) {
        if (layout_) munmap(layout_, sizeof(Layout));
        if (fd_ >= 0) close(fd_);
        throw;
    }
    flock(fd_, LOCK_UN);
}

CounterFile::~CounterFile() {
    munmap(layout_, sizeof(Layout));
    close(fd_);
}

bool CounterFile::open_existing() {
    fd_ = open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd_ < 0 && errno == ENOENT) return false;
    if (fd_ < 0 && errno == ELOOP) fail("it is a symbolic link: remove it");
    if (fd_ < 0) fail(std::strerror(errno));

    struct stat status {};
    if (fstat(fd_, &status) != 0) fail(std::strerror(errno));
    if (!S_ISREG(status.st_mode)) fail("it is not a regular file: remove it or name another");
    const auto sharing = core::file_sharing(path_);
    if (!sharing.fits(status)) fail("it belongs to another user: remove it, or name another file for this instance");

    // Whoever makes or unlinks the file holds this lock, so here it is finished, and what we judge damaged is not being made.
    while (flock(fd_, LOCK_EX) != 0) {
        if (errno != EINTR) fail(std::strerror(errno));
    }
    if (names_our_inode()) {
        if (fstat(fd_, &status) == 0 && status.st_size == sizeof(Layout) && (status.st_mode & 0777) == sharing.mode) {
            map();
            if (is_sound(layout_->header) && is_of_this_boot(layout_->header)) return true;
            munmap(layout_, sizeof(Layout));
            layout_ = nullptr;
        }
        if (unlink(path_.c_str()) != 0 && errno != ENOENT) fail(std::strerror(errno));
    }
    close(fd_);
    fd_ = -1;
    return false;
}

bool CounterFile::make() {
    fd_ = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd_ < 0 && errno == EEXIST) return false;
    if (fd_ < 0) fail(std::strerror(errno));
    while (flock(fd_, LOCK_EX) != 0) {
        if (errno != EINTR) fail(std::strerror(errno));
    }
    // Somebody may have locked the empty file first, taken it for a damaged one and unlinked it.
    if (!names_our_inode()) {
        close(fd_);
        fd_ = -1;
        return false;
    }
    if (fchmod(fd_, core::file_sharing(path_).mode) != 0) fail(std::strerror(errno));
    if (const int error = posix_fallocate(fd_, 0, sizeof(Layout))) {
        unlink(path_.c_str());
        fail(std::strerror(error));
    }
    map();
    initialise(*layout_);
    return true;
}

bool CounterFile::names_our_inode() const noexcept {
    struct stat ours {};
    struct stat named {};
    return fstat(fd_, &ours) == 0 && lstat(path_.c_str(), &named) == 0 && ours.st_dev == named.st_dev &&
           ours.st_ino == named.st_ino;
}

void CounterFile::map() {
    void* address = mmap(nullptr, sizeof(Layout), PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (address == MAP_FAILED) fail(std::strerror(errno));
    layout_ = static_cast<Layout*>(address);
}

CounterFile::State CounterFile::state() const noexcept {
    struct stat status {};
    if (fstat(fd_, &status) != 0 || status.st_size != sizeof(Layout)) return State::truncated;
    return names_our_inode() && is_sound(layout_->header) ? State::current : State::replaced;
}

void CounterFile::mark_damaged() noexcept {
    layout_->header.magic[0] = '\0';
}

void CounterFile::fail(const std::string& what) const {
    throw std::runtime_error("rate_limits.file: cannot use " + path_ + ": " + what);
}

}  // namespace tradepost::limits
