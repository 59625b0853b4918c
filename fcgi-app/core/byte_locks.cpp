#include "core/byte_locks.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tradepost::core {
namespace {

struct flock range(short type, off_t first, off_t count) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = first;
    lock.l_len = count;
    return lock;
}

ByteLock set(int file, short type, off_t byte) noexcept {
    auto lock = range(type, byte, 1);
    if (fcntl(file, F_OFD_SETLK, &lock) == 0) return ByteLock::ours;
    return errno == EAGAIN || errno == EACCES ? ByteLock::taken : ByteLock::failed;
}

}  // namespace

FileDescriptor open_lock_file(const std::string& path, std::string& why) noexcept {
    struct stat info {};
    FileDescriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    if (!file || fstat(file.get(), &info) != 0) {
        why = std::strerror(errno);
        file.reset();
    } else if (!S_ISREG(info.st_mode) || info.st_uid != geteuid()) {
        why = "it is no file, or another user's: remove it";
        file.reset();
    }
    return file;
}

ByteLock lock_byte(int file, off_t byte) noexcept {
    return set(file, F_WRLCK, byte);
}

ByteLock share_byte(int file, off_t byte) noexcept {
    return set(file, F_RDLCK, byte);
}

void unlock_bytes(int file, off_t first, off_t count) noexcept {
    auto lock = range(F_UNLCK, first, count);
    fcntl(file, F_OFD_SETLK, &lock);
}

bool others_lock(int file, off_t first, off_t count) noexcept {
    auto lock = range(F_WRLCK, first, count);
    return fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace tradepost::core
