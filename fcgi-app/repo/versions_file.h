// The file that the processes of one host map to tell each other of changes: its layout, and how it comes to be.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/shared_mapping.h"

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

    using WhenMissing = core::SharedMapping::WhenMissing;

    // As core::SharedMapping::open(). Epochs begin at random, so that nothing read by way of one file seems true by another.
    static std::unique_ptr<VersionsFile> open(const std::string& path, WhenMissing when_missing);

    // Whether `path` still names what is mapped, whole: others see what we write, and touching it raises no SIGBUS.
    bool is_current() const noexcept { return mapping_->is_current(); }
    // Whether it is whole, wherever it is now.
    bool is_whole() const noexcept { return mapping_->is_whole(); }

    Cell& cell(std::size_t index) { return static_cast<Layout*>(mapping_->address())->cells[index]; }

private:
    explicit VersionsFile(std::unique_ptr<core::SharedMapping> mapping) : mapping_(std::move(mapping)) {}

    std::unique_ptr<core::SharedMapping> mapping_;
};

}  // namespace tradepost::repo
