// The mapped file of metrics: one slot is written by this worker, all are read.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/shared_mapping.h"
#include "metrics/layout.h"

namespace tradepost::metrics {

// The worker's slot is reserved by a lock on one byte of the file, which the kernel releases when the process ends for whatever
// reason.
class SharedMetrics {
public:
    // A file with `series_count` series in a slot; `series_hash` identifies the program's route table. With `create` a file that is
    // missing, damaged or of another program is replaced; with `leave` the result is then empty. Empty also when no slot is free.
    // Throws as core::SharedMapping::open().
    static std::unique_ptr<SharedMetrics> open(const std::string& path, std::size_t series_count, std::uint64_t series_hash,
                                               const std::string& pool, core::SharedMapping::WhenMissing when_missing);

    bool is_current() const noexcept { return mapping_->is_current(); }
    bool is_whole() const noexcept { return mapping_->is_whole(); }

    Slot& own() { return slot(own_); }
    Series& own_series(std::size_t index) { return series(own_, index); }

    const Slot& slot(std::size_t index) const { return *reinterpret_cast<const Slot*>(at(index)); }
    const Series& series(std::size_t index, std::size_t number) const {
        return reinterpret_cast<const Series*>(at(index) + sizeof(Slot))[number];
    }
    bool is_own(std::size_t index) const { return index == own_; }
    bool is_alive(std::size_t index) const noexcept;  // whether a running worker has it

private:
    SharedMetrics(std::unique_ptr<core::SharedMapping> mapping, std::size_t slot_bytes)
        : mapping_(std::move(mapping)), slot_bytes_(slot_bytes) {}
    bool take_slot(const std::string& pool);
    char* at(std::size_t index) const { return static_cast<char*>(mapping_->address()) + sizeof_head + index * slot_bytes_; }
    Slot& slot(std::size_t index) { return *reinterpret_cast<Slot*>(at(index)); }
    Series& series(std::size_t index, std::size_t number) { return reinterpret_cast<Series*>(at(index) + sizeof(Slot))[number]; }

    static constexpr std::size_t sizeof_head = 4096;

    std::unique_ptr<core::SharedMapping> mapping_;
    std::size_t slot_bytes_;
    std::size_t own_ = 0;
};

}  // namespace tradepost::metrics
