// Tells the processes of one host of each other's commits, so that what one has read is known to be still true without asking
// the database.
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
#include "repo/versions_file.h"

namespace tradepost::repo {

// A writer announces its commit before the server gets it: it takes a slot in each changed collection and raises the epoch. Once
// the outcome is known it raises the epoch again and frees the slot. While a slot is taken readers learn nothing and ask the
// database. A slot whose writer died, or does not know the outcome, counts as lost when it is a minute old.
//
// Whatever is wrong with the file, readers learn nothing and writers go on; that is logged, at most once a minute. It is looked at
// before each use; only a truncation in the microsecond between, by its owner or root, would end the process (SIGBUS). One object
// is for one thread.
class SharedVersions final : public db::CommitObserver {
public:
    // Milliseconds that go on while the machine does, the same for all processes.
    using Milliseconds = std::function<std::int64_t()>;
    static std::int64_t monotonic_ms();

    // With `create`, for workers, it never throws. With `leave`, for tradepostctl, which may run as root and makes no file that
    // workers could not open, it throws std::runtime_error as VersionsFile::open() does: the workers would not hear of its changes.
    SharedVersions(std::string path, VersionsFile::WhenMissing when_missing, Milliseconds now = monotonic_ms);

    // A number that differs whenever a commit has changed the collection since. Empty: only the database knows. What is read from
    // the database after this call is true as long as later calls return the same.
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
    std::uint64_t token_;  // tells our slots from others'
    std::unique_ptr<VersionsFile> file_;
    std::array<std::optional<Taken>, cell_count> taken_{};  // in file_
    std::optional<std::int64_t> warned_at_;
};

// Beside the rate limiter's counters.
std::string versions_path(const core::Config& config);

}  // namespace tradepost::repo
