// The readers of the change log, and pruning what all of them have taken.
#pragma once
#include <chrono>
#include <cstdint>
#include <string_view>

#include "core/time.h"
#include "db/connection.h"

namespace tradepost::changes {

// A reader that said nothing for so long no longer keeps changes.
inline constexpr std::chrono::days reader_is_missed{7};
// How long changes are kept without a reader.
inline constexpr std::chrono::days changes_are_kept{3};

// The reader has taken all changes of `collection` (empty: all) up to `position`; it is added when it is new. Called at least daily, without
// news too, else prune() forgets the reader. Inside a transaction or not.
void set_reader(db::Connection& connection, std::string_view name, std::string_view collection, std::int64_t position);

// Does nothing when there is no such reader.
void remove_reader(db::Connection& connection, std::string_view name);

// Whether set_reader() was called for it within that time.
bool is_seen(db::Connection& connection, std::string_view name, std::chrono::seconds within);

struct Backlog {
    std::int64_t waiting;           // changes that the reader has not taken, counted to most_counted
    std::chrono::milliseconds lag;  // the age of the oldest of them; 0 without one
};
inline constexpr std::int64_t most_counted = 100'000;

// A reader that there is not has taken nothing.
Backlog backlog(db::Connection& connection, std::string_view reader);

// Removes changes with a position below those of all readers; without a reader, those older than changes_are_kept. What is at a reader's
// position stays, and the last change. Gives positions before, as nobody else may do it. Returns how many were removed.
std::uint64_t prune(db::Connection& connection, core::Time now);

}  // namespace tradepost::changes
