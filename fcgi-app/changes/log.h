// Reading the change log in the order of its positions: README.md has the scheme and what a reader has to do.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::changes {

// Recording what a transaction changes: the writers' part of the change log (README.md).

enum class Kind { written, removed };

std::string_view to_string(Kind kind);

struct Changed {
    std::string_view collection;  // as List::collection; not copied
    core::Uuid id;
    std::optional<core::Uuid> organisation_id;
    Kind kind;
};

// Inside the transaction that changes them. Waits for nobody. Throws db::Error.
void record(db::Connection& connection, std::span<const Changed> changed);

struct Change {
    std::int64_t position;
    std::string collection;
    core::Uuid id;
    std::optional<core::Uuid> organisation_id;
    Kind kind;
    core::Time changed_at;  // by the database's clock

    bool operator==(const Change&) const = default;
};

// Changes that the reader has not seen are gone: it has to begin anew.
class LogTruncated : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline constexpr int numbered_at_once = 1000;

// Gives positions to committed changes that have none, to numbered_at_once of them at most, in a transaction of its own. Returns how many got
// one: 0 when there is nothing to do, which costs one statement, or when somebody else is at it. Throws db::Error.
std::size_t number(db::Connection& connection);

// The changes of the collection (empty: of all) behind the position `after`, at most `limit`, by position. Only those with a position: call
// number() before. Throws LogTruncated when some behind `after` were pruned, db::Error.
std::vector<Change> read(db::Connection& connection, std::string_view collection, std::int64_t after, int limit);

// The change at a position that a reader remembers. Empty when the position was not given yet, or its change was pruned.
std::optional<Change> find(db::Connection& connection, std::int64_t position);

// The last position that was given; 0 before the first. A reader that asks before it reads, and is then given fewer than its limit, has read
// up to here.
std::int64_t last_position(db::Connection& connection);

}  // namespace tradepost::changes
