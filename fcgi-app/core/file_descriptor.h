// A file descriptor that closes itself.
#pragma once
#include <unistd.h>

#include <utility>

namespace tradepost::core {

class FileDescriptor {
public:
    explicit FileDescriptor(int number = -1) : number_(number) {}  // negative: none
    ~FileDescriptor() { reset(); }
    FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }

    explicit operator bool() const { return number_ >= 0; }
    int get() const { return number_; }
    void reset() noexcept {
        if (number_ >= 0) close(number_);
        number_ = -1;
    }

private:
    int number_;
};

}  // namespace tradepost::core
