// Announces commits between the processes of one host, through a shared file, so that a process can use a version again without reading it
// from the database.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.h"
#include "db/connection.h"
#include "versions/versions_file.h"

namespace tradepost::versions {

// A writer announces its commit before it sends it: it takes a slot of each changed collection and raises the epoch. Once it knows the
// outcome it raises the epoch again and frees the slot. While a slot is taken readers get no epoch and ask the database. A slot whose
// writer died, or does not know the outcome, is lost when it is a minute old, and then counts as free.
//
// When the file cannot be used readers get no epoch and writers go on; this is logged at most once a minute. The file is checked before each
// use. One object is for one thread.
class SharedVersions final : public db::CommitObserver {
public:
    // A monotonic clock that all processes of the host share, in milliseconds.
    using Milliseconds = std::function<std::int64_t()>;
    static std::int64_t monotonic_ms();

    // With `create`, for workers, it never throws. With `leave`, for tradepostctl, it does not create the file, because workers could not
    // open one of root's, and throws std::runtime_error as VersionsFile::open() does, because workers would not notice its changes.
    SharedVersions(std::string path, VersionsFile::WhenMissing when_missing, Milliseconds now = monotonic_ms);

    // The epoch of the collection: another number after every announced commit. Empty while a commit is under way, or the file cannot be
    // used. A version that is read from the database after this call is current as long as later calls return the same epoch.
    std::optional<std::uint64_t> state(std::string_view collection) noexcept;

    void committing(const std::vector<std::string>& changed) noexcept override;
    void committed(const std::vector<std::string>& changed, db::Outcome outcome) noexcept override;

private:
    static constexpr std::size_t cell_count = VersionsFile::Layout::cell_count;
    static constexpr std::size_t slot_count = VersionsFile::Cell::slot_count;
    struct Taken {
        std::size_t slot;
        std::uint64_t mark;
    };

    VersionsFile* file() noexcept;
    std::uint64_t mark() const;
    bool is_lost(std::uint64_t mark) const;
    std::optional<std::size_t> take_free(VersionsFile::Cell& cell, std::uint64_t mark) const;
    Taken take(VersionsFile::Cell& cell) const;
    void announce(VersionsFile& file, const std::vector<std::string>& changed) noexcept;
    void warn(const char* reason) noexcept;

    std::string path_;
    VersionsFile::WhenMissing when_missing_;
    Milliseconds now_;
    std::uint64_t token_;  // marks our slots
    std::unique_ptr<VersionsFile> file_;
    std::array<std::optional<Taken>, cell_count> taken_{};  // in file_
    std::optional<std::int64_t> warned_at_;
};

// Beside the rate limiter's counters.
std::string versions_path(const core::Config& config);

}  // namespace tradepost::versions
