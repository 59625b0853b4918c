// Which of a table's two indexes this release searches, and up to which position of the change log an index is. The database has the former; the
// latter is in the index itself, so that it is always true of the documents there: a backup of either one may be restored.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "db/connection.h"
#include "db/sphinxql.h"
#include "search/engines/sphinx_index.h"

namespace tradepost::search {

// The names under which the table's indexer reads the change log: up to what is searched, and up to what the server has in its files.
inline std::string reader(std::string_view collection, std::string_view shape) {
    return "search " + std::string(collection).append(shape);
}
inline std::string reader(const SphinxIndex& described) {
    return reader(described.collection(), described.shape());
}
inline std::string on_disk(const std::string& reader) {
    return reader + " on disk";
}
// The lease of who follows the changes of a table for its pair of indexes.
inline std::string follower(std::string_view pair) {
    return "search index " + std::string(pair);
}

// An index that was built: 'a' or 'b', and a number at random.
struct Built {
    char side;
    std::int64_t identity;
    bool operator==(const Built&) const = default;
};
// The one that is searched; empty until one has been built.
std::optional<Built> searched_index(db::Connection& connection, const SphinxIndex& described);
void set_searched_index(db::Connection& connection, const SphinxIndex& described, const Built& built);
inline char other_side(const std::optional<Built>& built) {
    return built && built->side == 'a' ? 'b' : 'a';
}

// The position in the change log up to which the index has what the table has.
struct IndexState {
    std::int64_t position;
    std::int64_t history;  // of the log up to there: see history_at()
};
// Empty when the index was not built to its end, or has been emptied.
std::optional<IndexState> index_state(db::SphinxQl& server, const std::string& index);
// The state of an index that is what it was built as, and made of this database by this release. Empty for any other.
std::optional<IndexState> trusted_state(db::Connection& connection, db::SphinxQl& server, const SphinxIndex& described,
                                        const Built& built);
// The REPLACE that stores it.
std::string store_state(const std::string& index, const IndexState& state);

// A number that is another one when the database or the index is not the one that was there when the index was built, or the database is an
// earlier state of it, or this release makes other documents. Empty when the log does not go back to the position.
std::optional<std::int64_t> history_at(db::Connection& connection, const SphinxIndex& described, const Built& built,
                                       std::int64_t position);

}  // namespace tradepost::search
