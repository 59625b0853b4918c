#include "core/shared_mapping.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "core/log.h"

namespace tradepost::core {
namespace {

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

// Creates a file and gives it its name when it is finished. An existing file of that name stays unless `replace`.
void create_file(const std::string& path, const SharedMapping::Content& content, bool replace) {
    static std::atomic<unsigned> count{0};
    const std::string temporary = path + "." + std::to_string(getpid()) + "-" + std::to_string(++count) + ".new";
    unlink(temporary.c_str());  // left by a process with our number that died here
    const FileDescriptor file(::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file) fail(path, std::strerror(errno));
    int error = posix_fallocate(file.get(), 0, off_t(content.bytes));
    if (!error) {
        void* address = mmap(nullptr, content.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
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

// Replaces the damaged file that is open as `damaged`, unless another process has done so already: each waits for the lock on the
// damaged file, and only the first one still finds it under its name.
void replace_file(const std::string& path, int damaged, const SharedMapping::Content& content) {
    while (flock(damaged, LOCK_EX) != 0)
        if (errno != EINTR) fail(path, std::strerror(errno));
    struct stat open {};
    struct stat named {};
    const bool still_named = fstat(damaged, &open) == 0 && lstat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
                             open.st_ino == named.st_ino;
    if (!still_named) return;
    create_file(path, content, true);
    log::warning("shared_file_replaced",
                 {{"file", path}, {"why", "it was truncated, or is another program's or an older version's"}});
}

}  // namespace

std::unique_ptr<SharedMapping> SharedMapping::open(const std::string& path, const Content& content, WhenMissing when_missing) {
    const bool create = when_missing == WhenMissing::create;
    for (int attempt = 0; attempt < 10; ++attempt) {  // others may create, replace and remove it at the same time
        // Without O_NONBLOCK a pipe of that name would block us.
        FileDescriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
        if (!file) {
            const bool missing = errno == ENOENT || errno == ENOTDIR;
            if (!missing) fail_to_open(path, errno);
            if (!create) return nullptr;
            create_file(path, content, false);
            continue;
        }
        struct stat status {};
        if (fstat(file.get(), &status) != 0) fail(path, std::strerror(errno));
        if (!S_ISREG(status.st_mode)) fail(path, "it is not a regular file: remove it");
        const bool allowed = status.st_uid == geteuid() || (!create && geteuid() == 0);
        if (!allowed) fail(path, "run this as its owner " + user_name(status.st_uid));

        std::unique_ptr<SharedMapping> opened(new SharedMapping(path, std::move(file), content.bytes));
        if ((status.st_mode & 0777) == 0600 && opened->map(content)) return opened;
        if (!create) return nullptr;
        replace_file(path, opened->descriptor(), content);
    }
    fail(path, "others keep replacing it");
}

bool SharedMapping::map(const Content& content) {
    struct stat status {};
    if (fstat(file_.get(), &status) != 0 || status.st_size != off_t(bytes_)) return false;
    void* address = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
    if (address == MAP_FAILED) fail(path_, std::strerror(errno));
    address_ = address;
    guard_ = std::make_unique<TruncationGuard>(address, bytes_);
    device_ = status.st_dev;
    inode_ = status.st_ino;
    return content.is_ours(address_);
}

SharedMapping::~SharedMapping() {
    // A robust mutex that was held when its memory was lost stays in the thread's list (get_robust_list(2)): its address must stay valid.
    if (address_ && !guard_->lost()) munmap(address_, bytes_);
}

bool SharedMapping::is_current() const noexcept {
    struct stat named {};
    return !guard_->lost() && lstat(path_.c_str(), &named) == 0 && named.st_ino == inode_ && named.st_dev == device_ &&
           named.st_size == off_t(bytes_);
}

bool SharedMapping::is_whole() const noexcept {
    struct stat status {};
    return !guard_->lost() && fstat(file_.get(), &status) == 0 && status.st_size == off_t(bytes_);
}

}  // namespace tradepost::core
