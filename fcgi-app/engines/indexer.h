// Keeps the search server's indexes as the database is: follows the change log, and builds an index that is missing or cannot be caught up.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "changes/log.h"
#include "changes/record.h"
#include "db/connection.h"
#include "db/sphinxql.h"
#include "engines/index_state.h"
#include "engines/sphinx_index.h"

namespace tradepost::engines {

// Whether the caller may go on: it still has its lease. Asked now and then during what takes long.
using MayGoOn = std::function<bool()>;

struct Interrupted : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// follow() is for one process of all hosts at a time, which has a lease; rebuild() sees to that itself. Borrows connection and configuration.
class Indexer {
public:
    Indexer(db::Connection& connection, const core::Config::Search& config, std::vector<SphinxIndex> indexes);

    // Takes what has changed, at most some thousand rows of each table, and builds the index of a table that has none, or one that
    // the change log does not lead on from. Returns whether there may be more. What it took is in the index once it returns; after an
    // exception it is taken again. Throws db::Error, and Interrupted when it may not go on.
    bool follow(const MayGoOn& may_go_on);

    // Builds the other index of the table, while this one is searched and followed, brings it up to date, and has it searched from then on.
    // Returns the number of rows; empty when another process is building it. Throws as follow().
    std::optional<std::int64_t> rebuild(const SphinxIndex& described, const MayGoOn& may_go_on,
                                        const std::function<void(std::int64_t)>& progress = {});

    // Records anew what the last call of follow() took, so that it is taken again: for a caller that finds its lease gone. Somebody else may
    // have followed at the same time, with newer rows.
    void record_again();

    const std::vector<SphinxIndex>& indexes() const { return indexes_; }

private:
    using steady = std::chrono::steady_clock;
    struct Followed {
        std::optional<Built> built;
        steady::time_point since{}, seen{}, looked_after{};
        bool other_is_empty = false;
        std::int64_t told = -1;  // the position that set_reader() was given
    };
    bool follow(const SphinxIndex& described, Followed& followed, const MayGoOn& may_go_on);
    std::size_t take(const SphinxIndex& described, const Built& built, IndexState& state);
    void write(const SphinxIndex& described, const std::string& index, std::span<const core::Uuid> ids, const IndexState& state);
    std::int64_t copy(const SphinxIndex& described, const std::string& index, const MayGoOn& may_go_on,
                      const std::function<void(std::int64_t)>& progress);
    IndexState state_at(const SphinxIndex& described, const Built& built, std::int64_t position);
    void look_after(const SphinxIndex& described, Followed& followed);

    db::Connection& connection_;
    const core::Config::Search& config_;
    db::SphinxQl server_;
    std::vector<SphinxIndex> indexes_;
    std::vector<Followed> followed_;
    std::vector<changes::Changed> taken_;
};

}  // namespace tradepost::engines
