// The file that the processes of one host map to tell each other of changes: its layout, and how it comes to be.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace tradepost::repo {

class VersionsFile {
public:
    // One collection's part.
    struct alignas(64) Cell {
        static constexpr std::size_t slot_count = 32;

        std::atomic<std::uint64_t> epoch;                // another number after every commit
        std::atomic<std::uint64_t> pending[slot_count];  // commits on their way; 0: free
    };
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "a lock would belong to one process");

    struct alignas(4096) Layout {
        static constexpr std::size_t cell_count = 5;

        char magic[8];
        std::uint32_t version;
        std::uint32_t file_bytes;
        Cell cells[cell_count];
    };

    enum class WhenMissing { create, leave };

    // Opens `path`. With `create` what is missing or damaged is made anew (its mode as core::file_sharing() says, every byte
    // allocated) and takes that name only when it is finished; with `leave` the result is then empty, and root may open what is
    // another user's. Epochs begin at random, so that nothing read by way of one file seems true by another. Throws
    // std::runtime_error, naming the file and what to do, when it cannot be opened or made, is a link or no regular file, or is
    // another user's.
    static std::unique_ptr<VersionsFile> open(const std::string& path, WhenMissing when_missing);
    ~VersionsFile();
    VersionsFile(const VersionsFile&) = delete;
    VersionsFile& operator=(const VersionsFile&) = delete;

    // Whether `path` still names what is mapped, whole: others see what we write, and touching it raises no SIGBUS.
    bool is_current() const noexcept;
    // Whether it is whole, wherever it is now.
    bool is_whole() const noexcept;

    Cell& cell(std::size_t index) { return layout_->cells[index]; }

private:
    VersionsFile(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
    bool map();  // false: its content is not ours

    std::string path_;
    int fd_;
    Layout* layout_ = nullptr;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

}  // namespace tradepost::repo
