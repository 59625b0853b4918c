#include "repo/versions_file.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include "core/crypto.h"
#include "core/shared_file.h"

namespace tradepost::repo {
namespace {

using Layout = VersionsFile::Layout;

constexpr char magic[8] = {'T', 'P', 'V', 'E', 'R', 'S', 'N', 'S'};
constexpr std::uint32_t layout_version = 1;

// Closes or unmaps what is not handed on.
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

void initialise(Layout& layout) {
    for (auto& cell : layout.cells) {
        std::uint64_t start = 0;
        std::memcpy(&start, core::random_bytes(sizeof start).data(), sizeof start);
        cell.epoch = start;
        for (auto& slot : cell.pending) slot = 0;
    }
    layout.version = layout_version;
    layout.file_bytes = sizeof(Layout);
    std::memcpy(layout.magic, magic, sizeof magic);
}

// Makes a file and gives it its name when it is finished. Where that name is taken it is left, unless `replace`.
void make(const std::string& path, bool replace) {
    static std::atomic<unsigned> count{0};
    const std::string temporary = path + "." + std::to_string(getpid()) + "-" + std::to_string(++count) + ".new";
    unlink(temporary.c_str());  // of a process with our number that died here
    const Descriptor made{::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600)};
    if (made.number < 0) fail(path, std::strerror(errno));
    int error = fchmod(made.number, core::file_sharing(path).mode) == 0 ? 0 : errno;
    if (!error) error = posix_fallocate(made.number, 0, sizeof(Layout));
    if (!error) {
        void* address = mmap(nullptr, sizeof(Layout), PROT_READ | PROT_WRITE, MAP_SHARED, made.number, 0);
        if (address == MAP_FAILED) {
            error = errno;
        } else {
            initialise(*new (address) Layout);
            munmap(address, sizeof(Layout));
        }
    }
    const auto name = [&] { return replace ? std::rename(temporary.c_str(), path.c_str()) : link(temporary.c_str(), path.c_str()); };
    if (!error && name() != 0 && errno != EEXIST) error = errno;
    unlink(temporary.c_str());
    if (error) fail(path, std::strerror(error));
}

}  // namespace

std::unique_ptr<VersionsFile> VersionsFile::open(const std::string& path, WhenMissing when_missing) {
    const bool create = when_missing == WhenMissing::create;
    for (int attempt = 0; attempt < 10; ++attempt) {  // others may make, replace and remove it at the same time
        // Without O_NONBLOCK a pipe of that name would hang us.
        Descriptor file{::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
        if (file.number < 0) {
            const bool missing = errno == ENOENT || errno == ENOTDIR;
            if (!missing) fail_to_open(path, errno);
            if (!create) return nullptr;
            make(path, false);
            continue;
        }
        struct stat status {};
        if (fstat(file.number, &status) != 0) fail(path, std::strerror(errno));
        if (!S_ISREG(status.st_mode)) fail(path, "it is not a regular file: remove it");
        const auto sharing = core::file_sharing(path);
        const bool may = sharing.fits(status) || (!create && geteuid() == 0);
        if (!may) fail(path, "run this as its owner " + user_name(status.st_uid));

        std::unique_ptr<VersionsFile> opened(new VersionsFile(path, std::exchange(file.number, -1)));
        if ((status.st_mode & 0777) == sharing.mode && opened->map()) return opened;
        if (!create) return nullptr;
        make(path, true);
    }
    fail(path, "others keep replacing it");
}

bool VersionsFile::map() {
    struct stat status {};
    if (fstat(fd_, &status) != 0 || status.st_size != sizeof(Layout)) return false;
    void* address = mmap(nullptr, sizeof(Layout), PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (address == MAP_FAILED) fail(path_, std::strerror(errno));
    layout_ = static_cast<Layout*>(address);
    device_ = status.st_dev;
    inode_ = status.st_ino;
    return std::memcmp(layout_->magic, magic, sizeof magic) == 0 && layout_->version == layout_version &&
           layout_->file_bytes == sizeof(Layout);
}

VersionsFile::~VersionsFile() {
    if (layout_) munmap(layout_, sizeof(Layout));
    close(fd_);
}

bool VersionsFile::is_current() const noexcept {
    struct stat named {};
    return lstat(path_.c_str(), &named) == 0 && named.st_ino == inode_ && named.st_dev == device_ && named.st_size == sizeof(Layout);
}

bool VersionsFile::is_whole() const noexcept {
    struct stat status {};
    return fstat(fd_, &status) == 0 && status.st_size == sizeof(Layout);
}

}  // namespace tradepost::repo
