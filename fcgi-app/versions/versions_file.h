// The shared versions file: memory of all processes of a host, with an epoch and slots for each collection. Its layout and its creation.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/shared_mapping.h"

namespace tradepost::versions {

class VersionsFile {
public:
    // The epoch and the slots of one collection.
    struct alignas(64) Cell {
        static constexpr std::size_t slot_count = 32;

        std::atomic<std::uint64_t> epoch;                // another number after every announced commit
        std::atomic<std::uint64_t> pending[slot_count];  // a slot each: the mark of a commit under way; 0: free
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

    // As core::SharedMapping::open(). Epochs of a new file begin at random, so that they differ from those of the file before it.
    static std::unique_ptr<VersionsFile> open(const std::string& path, WhenMissing when_missing);

    // Whether the mapped file is whole and still the one at `path`, so that others see what we write.
    bool is_current() const noexcept { return mapping_->is_current(); }
    // Whether the mapped file is whole, even if it was moved or replaced.
    bool is_whole() const noexcept { return mapping_->is_whole(); }

    Cell& cell(std::size_t index) { return static_cast<Layout*>(mapping_->address())->cells[index]; }

private:
    explicit VersionsFile(std::unique_ptr<core::SharedMapping> mapping) : mapping_(std::move(mapping)) {}

    std::unique_ptr<core::SharedMapping> mapping_;
};

}  // namespace tradepost::versions
