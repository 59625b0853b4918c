#include "core/shared_mapping.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/shared_file.h"

namespace tradepost::core {
namespace {

// Closes what is not handed on.
struct Descriptor {
    int number = -1;
    ~Descriptor() {
        if (number >= 0) close(number);
    }
};

[[noreturn]] void fail(const std::string& path, const std::string& what) {
    throw std::runtime_error("cannot use " + path + ": " + what);
}

std::string user_name(uid_t user) {
    const passwd* entry = getpwuid(user);
    return entry ? entry->pw_name : "user " + std::to_string(user);
}

[[noreturn]] void fail_to_open(const std::string& path, int error) {
    struct stat status {};
    if (error == ELOOP) fail(path, "it is a symbolic link: remove it");
    if (error == EACCES && lstat(path.c_str(), &status) == 0) fail(path, "run this as its owner " + user_name(status.st_uid));
    fail(path, std::string(std::strerror(error)) + (error == EACCES ? ": run this as the workers' user" : ""));
}

// Makes a file and gives it its name when it is finished. Where that name is taken it is left, unless `replace`.
void make(const std::string& path, const SharedMapping::Content& content, bool replace) {
    static std::atomic<unsigned> count{0};
    const std::string temporary = path + "." + std::to_string(getpid()) + "-" + std::to_string(++count) + ".new";
    unlink(temporary.c_str());  // of a process with our number that died here
    const Descriptor made{::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600)};
    if (made.number < 0) fail(path, std::strerror(errno));
    int error = fchmod(made.number, file_sharing(path).mode) == 0 ? 0 : errno;
    if (!error) error = posix_fallocate(made.number, 0, content.bytes);
    if (!error) {
        void* address = mmap(nullptr, content.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, made.number, 0);
        if (address == MAP_FAILED) {
            error = errno;
        } else {
            content.initialise(address);
            munmap(address, content.bytes);
        }
    }
    const auto name = [&] {
        return replace ? std::rename(temporary.c_str(), path.c_str()) : link(temporary.c_str(), path.c_str());
    };
    if (!error && name() != 0 && errno != EEXIST) error = errno;
    unlink(temporary.c_str());
    if (error) fail(path, std::strerror(error));
}

}  // namespace

std::unique_ptr<SharedMapping> SharedMapping::open(const std::string& path, const Content& content, WhenMissing when_missing) {
    const bool create = when_missing == WhenMissing::create;
    for (int attempt = 0; attempt < 10; ++attempt) {  // others may make, replace and remove it at the same time
        // Without O_NONBLOCK a pipe of that name would hang us.
        Descriptor file{::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
        if (file.number < 0) {
            const bool missing = errno == ENOENT || errno == ENOTDIR;
            if (!missing) fail_to_open(path, errno);
            if (!create) return nullptr;
            make(path, content, false);
            continue;
        }
        struct stat status {};
        if (fstat(file.number, &status) != 0) fail(path, std::strerror(errno));
        if (!S_ISREG(status.st_mode)) fail(path, "it is not a regular file: remove it");
        const auto sharing = file_sharing(path);
        const bool may = sharing.fits(status) || (!create && geteuid() == 0);
        if (!may) fail(path, "run this as its owner " + user_name(status.st_uid));

        std::unique_ptr<SharedMapping> opened(new SharedMapping(path, std::exchange(file.number, -1), content.bytes));
        if ((status.st_mode & 0777) == sharing.mode && opened->map(content)) return opened;
        if (!create) return nullptr;
        make(path, content, true);
    }
    fail(path, "others keep replacing it");
}

bool SharedMapping::map(const Content& content) {
    struct stat status {};
    if (fstat(fd_, &status) != 0 || status.st_size != off_t(bytes_)) return false;
    void* address = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (address == MAP_FAILED) fail(path_, std::strerror(errno));
    address_ = address;
    device_ = status.st_dev;
    inode_ = status.st_ino;
    return content.is_ours(address_);
}

SharedMapping::~SharedMapping() {
    if (address_) munmap(address_, bytes_);
    close(fd_);
}

bool SharedMapping::is_current() const noexcept {
    struct stat named {};
    return lstat(path_.c_str(), &named) == 0 && named.st_ino == inode_ && named.st_dev == device_ &&
           named.st_size == off_t(bytes_);
}

bool SharedMapping::is_whole() const noexcept {
    struct stat status {};
    return fstat(fd_, &status) == 0 && status.st_size == off_t(bytes_);
}

}  // namespace tradepost::core
