// Keeps an index of the search server as the database is: follows the change log, and builds an index that is missing or cannot be caught up.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "changes/log.h"
#include "db/connection.h"
#include "db/sphinxql.h"
#include "search/engines/index_state.h"
#include "search/engines/sphinx_index.h"

namespace tradepost::search {

// Whether the caller may go on: it still has its lease. Asked now and then during what takes long.
using MayGoOn = std::function<bool()>;

struct Interrupted : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One table's index. follow() is for one process of all hosts at a time, which has a lease; rebuild() sees to that itself. Borrows connection
// and configuration.
class Indexer {
public:
    Indexer(db::Connection& connection, const core::Config::Search& config, SphinxIndex described);

    // Takes what has changed, at most some thousand rows, and builds the index if there is none, or if the change log does not lead on from it.
    // Returns whether there may be more. What it took is in the index once it returns; after an exception it is taken again. Throws
    // db::Error, Interrupted when it may not go on, and std::runtime_error when the rows have no words yet (`tradepostctl reindex`).
    bool follow(const MayGoOn& may_go_on);

    // Builds the other index of the table, while this one is searched and followed, brings it up to date, and has it searched from then on.
    // Returns the number of rows; empty when another process is building it. Throws as follow().
    std::optional<std::int64_t> rebuild(const MayGoOn& may_go_on);

    // For who has looked at its lease: it was still there, or it was gone. Then somebody else may have followed at the same time, with newer
    // rows, so what was taken since the last confirm() is recorded anew, and thus taken again.
    void confirm() { taken_.clear(); }
    void record_again();

    // Empties the table's indexes of another version that nobody has followed for 10 minutes. follow() does it now and then.
    void drop_others();

    const SphinxIndex& described() const { return described_; }

private:
    using steady = std::chrono::steady_clock;
    std::size_t take(const Built& built, IndexState& state);
    void write(const std::string& index, std::span<const core::Uuid> ids, const IndexState& state);
    IndexState state_at(const Built& built, std::int64_t position);
    void tell_position(const Built& built, IndexState state, std::int64_t last, bool idle);
    void save(const Built& built);
    void look_after(const Built& built);

    db::Connection& connection_;
    const core::Config::Search& config_;
    db::SphinxQl server_;
    SphinxIndex described_;
    std::vector<changes::Changed> taken_;

    // What follow() knows of the index that it follows.
    std::optional<Built> built_;
    steady::time_point since_{}, told_at_{}, looked_after_{};
    std::int64_t told_ = -1, saved_ = -1;  // the positions that set_reader() was given
    bool other_is_empty_ = false;
};

}  // namespace tradepost::search
