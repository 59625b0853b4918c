#include "engines/indexer.h"

#include <cstring>
#include <set>

#include "changes/readers.h"
#include "core/crypto.h"
#include "core/log.h"
#include "db/lease.h"
#include "engines/documents.h"
#include "engines/index_copy.h"

namespace tradepost::engines {
namespace {

using namespace std::chrono_literals;

constexpr int batch = 1000;
constexpr int batches_at_once = 10;
constexpr auto told_apart = 10s;     // longer than any search that has read which index to search
constexpr auto reader_is_seen = 5s;  // what it has taken may be pruned
constexpr auto reader_moves = 1s;    // and is not counted as waiting any more
constexpr auto looks_after = 30s;
constexpr int most_chunks = 16;  // of an index on disk: each is searched by itself
constexpr auto longest_step = 60s;

std::string name(const SphinxIndex& described, const Built& built) {
    return SphinxIndex::name(described.table(), built.side);
}

std::int64_t random_number() {
    std::int64_t number = 0;
    const auto bytes = core::random_bytes(sizeof number);
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
}

}  // namespace

Indexer::Indexer(db::Connection& connection, const core::Config::Search& config, std::vector<SphinxIndex> indexes)
    : connection_(connection),
      config_(config),
      server_(config, longest_step),
      indexes_(std::move(indexes)),
      followed_(indexes_.size()) {}

bool Indexer::follow(const MayGoOn& may_go_on) {
    taken_.clear();
    const auto numbered = changes::number(connection_);
    bool more = numbered >= std::size_t(changes::numbered_at_once);
    for (std::size_t i = 0; i < indexes_.size(); ++i) more = follow(indexes_[i], followed_[i], may_go_on) || more;
    return more;
}

bool Indexer::follow(const SphinxIndex& described, Followed& followed, const MayGoOn& may_go_on) {
    const auto built = searched_index(connection_, described.table());
    auto state = built ? trusted_state(connection_, server_, described, *built) : std::nullopt;
    if (!state) return rebuild(described, may_go_on).has_value();
    const auto now = steady::now();
    if (built != followed.built) followed = {built, now, {}, now};
    try {
        const auto last = changes::last_position(connection_);
        std::size_t count = batch;
        for (int taken = 0; taken < batches_at_once && count >= std::size_t(batch); ++taken)
            count = take(described, *built, *state);
        const bool idle = now - followed.seen > reader_is_seen;
        if (idle || (now - followed.seen > reader_moves && state->position != followed.told)) {
            // What came meanwhile was of other tables.
            if (idle && count == 0 && state->position < last) {
                state = state_at(described, *built, last);
                server_.execute(store_state(name(described, *built), *state));
            }
            changes::set_reader(connection_, reader(described), described.collection(), state->position);
            followed.seen = now;
            followed.told = state->position;
        }
        if (count >= std::size_t(batch)) return true;
        look_after(described, followed);
        return false;
    } catch (const changes::LogTruncated& error) {
        core::log::warning("index_cannot_follow", {{"table", described.table()}, {"why", error.what()}});
        return rebuild(described, may_go_on).has_value();
    }
}

IndexState Indexer::state_at(const SphinxIndex& described, const Built& built, std::int64_t position) {
    const auto history = history_at(connection_, described, built, position);
    if (!history) throw changes::LogTruncated("the change at " + std::to_string(position) + " is gone");
    return {position, *history};
}

std::size_t Indexer::take(const SphinxIndex& described, const Built& built, IndexState& state) {
    const auto changed = changes::read(connection_, described.collection(), state.position, batch);
    if (changed.empty()) return 0;
    std::set<core::Uuid> unique;
    for (const auto& change : changed) {
        unique.insert(change.id);
        taken_.push_back({described.collection(), change.id, change.organisation_id, change.kind});
    }
    const auto next = state_at(described, built, changed.back().position);
    write(described, name(described, built), std::vector<core::Uuid>(unique.begin(), unique.end()), next);
    state = next;
    return changed.size();
}

// Rows and position at once, so that the index is never ahead of its position or behind it.
void Indexer::write(const SphinxIndex& described, const std::string& index, std::span<const core::Uuid> ids,
                    const IndexState& state) {
    auto gone = make_numbers(connection_, described.table(), ids);
    std::vector<core::Uuid> found;
    const auto statements = replacements(connection_, described, index, ids, gone, found);
    for (const auto& id : found) gone.erase(id);
    try {
        server_.execute("BEGIN");
        for (const auto& statement : statements) server_.execute(statement);
        if (!gone.empty()) server_.execute(deletion(index, gone));
        server_.execute(store_state(index, state));
        server_.execute("COMMIT");
    } catch (...) {
        server_.close();  // nothing of this is to be committed by the next batch
        throw;
    }
    // Their numbers stay: taking the change again, in an older copy of the index, has to delete the same documents.
}

std::optional<std::int64_t> Indexer::rebuild(const SphinxIndex& described, const MayGoOn& may_go_on,
                                             const std::function<void(std::int64_t)>& progress) {
    auto lease = db::Lease::take(connection_, "build index " + std::string(described.table()), longest_step);
    if (!lease) return {};
    const auto going_on = [&] { return lease->renew() && may_go_on(); };
    const Built built{other_side(searched_index(connection_, described.table())), random_number()};
    const auto index = name(described, built);
    server_.execute("TRUNCATE RTINDEX " + index);

    changes::number(connection_);
    IndexState state{changes::last_position(connection_), 0};
    const auto builder = "build " + std::string(described.collection());
    changes::set_reader(connection_, builder, described.collection(), state.position);
    const auto rows = copy_rows(connection_, config_, described, index, going_on, progress);
    for (std::size_t taken = batch; taken >= std::size_t(batch);) {
        if (!going_on()) throw Interrupted("the index " + index + " is not finished");
        changes::number(connection_);
        taken = take(described, built, state);
    }
    // Without the lease somebody else may have emptied the index.
    if (!going_on()) throw Interrupted("the index " + index + " is not finished");
    server_.execute(store_state(index, state_at(described, built, state.position)));
    set_searched_index(connection_, described.table(), built);
    changes::set_reader(connection_, reader(described), described.collection(), state.position);
    changes::remove_reader(connection_, builder);
    core::log::info("index_built", {{"index", index}, {"rows", rows}});
    return rows;
}

// The index that is searched no more is emptied, and one of many pieces is put together; the server does the latter beside its searches.
void Indexer::look_after(const SphinxIndex& described, Followed& followed) {
    const auto now = steady::now();
    if (!followed.other_is_empty && now - followed.since > told_apart) {
        if (const auto lease = db::Lease::take(connection_, "build index " + std::string(described.table()), longest_step)) {
            if (searched_index(connection_, described.table()) != followed.built) return;
            server_.execute("TRUNCATE RTINDEX " + SphinxIndex::name(described.table(), other_side(followed.built)));
            followed.other_is_empty = true;
        }
    }
    if (now - followed.looked_after < looks_after) return;
    followed.looked_after = now;
    const auto index = name(described, *followed.built);
    for (const auto& row : server_.query("SHOW INDEX " + index + " STATUS"))
        if (row.text(0) == "disk_chunks" && row.integer(1) > most_chunks) server_.execute("OPTIMIZE INDEX " + index);
}

void Indexer::record_again() {
    db::in_transaction(connection_, [&] { changes::record(connection_, taken_); });
}

}  // namespace tradepost::engines
