// System calls on files that throw std::system_error, and a descriptor that closes itself.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace tradepost::uploads {

[[noreturn]] inline void fail(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    // Throws when the file cannot be opened. Never follows a link at the end of the path.
    Descriptor(const std::string& path, int flags, mode_t mode = 0)
        : number_(open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, mode)) {
        if (number_ < 0) fail(path);
    }
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }
    int release() {
        const int number = number_;
        number_ = -1;
        return number;
    }

private:
    int number_;
};

inline void sync(const std::string& path, int flags = O_RDONLY) {
    const Descriptor file(path, flags);
    if (fsync(file.number()) != 0) fail("fsync " + path);
}

}  // namespace tradepost::uploads
