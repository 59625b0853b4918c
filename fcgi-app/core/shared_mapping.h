// A small file of fixed size that the processes of one host map to share memory.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace tradepost::core {

class SharedMapping {
public:
    enum class WhenMissing { create, leave };

    // What a file holds: so many bytes, which `initialise` fills where all are 0, and which `is_ours` knows again.
    struct Content {
        std::size_t bytes;
        std::function<void(void*)> initialise;
        std::function<bool(const void*)> is_ours;
    };

    // Opens `path`. With `create` what is missing or damaged is made anew (its mode as file_sharing() says, every byte allocated)
    // and takes that name only when it is finished; with `leave` the result is then empty, and root may open what is another
    // user's. Throws std::runtime_error, naming the file and what to do, when it cannot be opened or made, is a link or no
    // regular file, or is another user's.
    static std::unique_ptr<SharedMapping> open(const std::string& path, const Content& content, WhenMissing when_missing);
    ~SharedMapping();
    SharedMapping(const SharedMapping&) = delete;
    SharedMapping& operator=(const SharedMapping&) = delete;

    // Whether `path` still names what is mapped, whole: others see what we write, and touching it raises no SIGBUS.
    bool is_current() const noexcept;
    // Whether it is whole, wherever it is now.
    bool is_whole() const noexcept;

    void* address() const { return address_; }
    int descriptor() const { return fd_; }  // open for reading and writing, of this object alone

private:
    SharedMapping(std::string path, int fd, std::size_t bytes) : path_(std::move(path)), fd_(fd), bytes_(bytes) {}
    bool map(const Content& content);  // false: its content is not ours

    std::string path_;
    int fd_;
    std::size_t bytes_;
    void* address_ = nullptr;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

}  // namespace tradepost::core
