#include "versions/shared_versions.h"

#include <time.h>

#include <cstdlib>
#include <cstring>

#include "core/crypto.h"
#include "core/log.h"
#include "versions/collection_versions.h"

namespace tradepost::versions {
namespace {

using Cell = VersionsFile::Cell;

constexpr std::int64_t lost_after_ms = 60'000, minute_ms = 60'000;

// The mark in a slot: the time when it was taken, above so many bits of its owner's token.
constexpr int token_bits = 20;
constexpr std::uint64_t token_mask = (1u << token_bits) - 1;

// All other collections share the last cell.
std::size_t index_of(std::string_view collection) {
    constexpr std::string_view own[] = {jobs_collection, events_collection, posts_collection, stock_collection};
    static_assert(std::size(own) < VersionsFile::Layout::cell_count);
    std::size_t index = 0;
    while (index < std::size(own) && own[index] != collection) ++index;
    return index;
}

std::uint64_t random_token() {
    std::uint64_t token = 0;
    const auto bytes = core::random_bytes(sizeof token);
    std::memcpy(&token, bytes.data(), sizeof token);
    return (token & token_mask) | 1;  // a mark is never 0
}

}  // namespace

std::int64_t SharedVersions::monotonic_ms() {
    timespec now{};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

SharedVersions::SharedVersions(std::string path, VersionsFile::WhenMissing when_missing, Milliseconds now)
    : path_(std::move(path)), when_missing_(when_missing), now_(std::move(now)), token_(random_token()) {
    if (when_missing_ == VersionsFile::WhenMissing::leave) file_ = VersionsFile::open(path_, when_missing_);
}

std::optional<std::uint64_t> SharedVersions::state(std::string_view collection) noexcept {
    auto* shared = file();
    if (!shared) return {};
    auto& cell = shared->cell(index_of(collection));
    // Read before the slots: a commit that begins in between must not give its epoch to a version that was read before it.
    const std::uint64_t epoch = cell.epoch;
    for (auto& slot : cell.pending) {
        const std::uint64_t mark = slot;
        if (mark != 0 && !is_lost(mark)) return {};
    }
    return epoch;
}

void SharedVersions::committing(const std::vector<std::string>& changed) noexcept {
    taken_ = {};
    if (auto* shared = file()) announce(*shared, changed);
}

void SharedVersions::committed(const std::vector<std::string>& changed, db::Outcome outcome) noexcept {
    if (file_ && file_->is_whole()) {
        for (std::size_t i = 0; i < cell_count; ++i) {
            if (!taken_[i] || outcome == db::Outcome::unknown) continue;
            auto& cell = file_->cell(i);
            ++cell.epoch;
            // Unless another process has taken it since it was lost.
            auto ours = taken_[i]->mark;
            cell.pending[taken_[i]->slot].compare_exchange_strong(ours, 0);
        }
    }
    taken_ = {};
    if (file_ && file_->is_current()) return;
    // Readers may use a new file by now, and may have read the version before the commit.
    auto* shared = file();
    if (!shared) return;
    if (outcome == db::Outcome::unknown) return announce(*shared, changed);
    for (const auto& collection : changed) ++shared->cell(index_of(collection)).epoch;
}

void SharedVersions::announce(VersionsFile& shared, const std::vector<std::string>& changed) noexcept {
    for (const auto& collection : changed) {
        const auto index = index_of(collection);
        if (taken_[index]) continue;
        auto& cell = shared.cell(index);
        taken_[index] = take(cell);
        ++cell.epoch;
    }
}

std::uint64_t SharedVersions::mark() const {
    return std::uint64_t(now_()) << token_bits | token_;
}

// A mark from far ahead was made before a reboot; one from a moment ahead by a process that read the clock after us.
bool SharedVersions::is_lost(std::uint64_t mark) const {
    return std::abs(now_() - std::int64_t(mark >> token_bits)) >= lost_after_ms;
}

std::optional<std::size_t> SharedVersions::take_free(Cell& cell, std::uint64_t mark) const {
    for (std::size_t i = 0; i < slot_count; ++i) {
        std::uint64_t held = cell.pending[i];
        if ((held == 0 || is_lost(held)) && cell.pending[i].compare_exchange_strong(held, mark)) return i;
    }
    return {};
}

// With more commits at once than slots the oldest one loses its slot. Readers may then use a version from before that commit, until they
// ask the database again (version_check).
SharedVersions::Taken SharedVersions::take(Cell& cell) const {
    constexpr int tries = 10;
    constexpr timespec pause{0, 1'000'000};
    const auto mine = mark();
    for (int i = 0; i < tries; ++i) {
        if (const auto slot = take_free(cell, mine)) return {*slot, mine};
        nanosleep(&pause, nullptr);
    }
    std::size_t oldest = 0;
    for (std::size_t i = 1; i < slot_count; ++i)
        if (cell.pending[i] < cell.pending[oldest]) oldest = i;
    cell.pending[oldest] = mine;
    return {oldest, mine};
}

VersionsFile* SharedVersions::file() noexcept {
    if (file_ && file_->is_current()) return file_.get();
    try {
        file_ = VersionsFile::open(path_, when_missing_);
    } catch (const std::exception& error) {
        file_.reset();
        warn(error.what());
    }
    return file_.get();
}

void SharedVersions::warn(const char* reason) noexcept {
    const auto now = now_();
    if (warned_at_ && std::abs(now - *warned_at_) < minute_ms) return;
    warned_at_ = now;
    core::log::warning("versions_not_shared", {{"reason", reason}});
}

std::string versions_path(const core::Config& config) {
    // A colon stands in no instance's name, so that this is nobody's counters.
    return config.counters_path() + ":versions";
}

}  // namespace tradepost::versions
