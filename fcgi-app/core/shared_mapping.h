// A file of fixed size that the processes of one host map to share memory.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "core/file_descriptor.h"
#include "core/truncation_guard.h"

namespace tradepost::core {

class SharedMapping {
public:
    enum class WhenMissing { create, leave };

    // The content of a file: its size, how to fill a new one, whose bytes are all 0, and how to tell it from another program's.
    struct Content {
        std::size_t bytes;
        std::function<void(void*)> initialise;
        std::function<bool(const void*)> is_ours;
    };

    // Opens `path`. With `create` a file that is missing or damaged is replaced by a new one: for its owner alone, every byte
    // allocated, so that a full file system fails here and not with SIGBUS later, and another inode, since others may still have the
    // old one mapped. It gets its name when it is finished. Any number of processes may do so at once and end with the same file; the one that
    // replaces a damaged file logs that. With `leave` the result is empty instead, and root may open another user's file.
    // Throws std::runtime_error, which names the file and says what to do, when it cannot be opened or created, is a link or no
    // regular file, or belongs to another user.
    static std::unique_ptr<SharedMapping> open(const std::string& path, const Content& content, WhenMissing when_missing);
    ~SharedMapping();
    SharedMapping(const SharedMapping&) = delete;
    SharedMapping& operator=(const SharedMapping&) = delete;

    // Whether `path` still names the mapped file and it has its full size, so that others see our writes. Access to a truncated file
    // is no error: it finds zeros, or memory that no other process shares.
    bool is_current() const noexcept;
    // Whether the mapped file has its full size, under whatever name.
    bool is_whole() const noexcept;

    void* address() const { return address_; }
    int descriptor() const { return file_.get(); }  // open for reading and writing, of this object alone

private:
    SharedMapping(std::string path, FileDescriptor file, std::size_t bytes)
        : path_(std::move(path)), file_(std::move(file)), bytes_(bytes) {}
    bool map(const Content& content);  // false: the content is not ours

    std::string path_;
    FileDescriptor file_;
    std::size_t bytes_;
    void* address_ = nullptr;
    std::unique_ptr<TruncationGuard> guard_;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

}  // namespace tradepost::core
