#include "search/engines/indexer.h"

#include <cstring>
#include <set>

#include "changes/readers.h"
#include "core/crypto.h"
#include "core/log.h"
#include "db/lease.h"
#include "search/engines/documents.h"
#include "search/engines/index_copy.h"
#include "search/engines/words_state.h"

namespace tradepost::search {
namespace {

using namespace std::chrono_literals;

constexpr int batch = 1000;
constexpr int batches_at_once = 10;
constexpr auto told_apart = 10s;     // longer than any search that has read which index to search
constexpr auto reader_is_seen = 5s;  // what it has taken may be pruned
constexpr auto reader_moves = 1s;    // and is not counted as waiting any more
constexpr auto looks_after = 30s;    // and what a server that is killed has lost
constexpr int most_chunks = 16;      // of an index on disk: each is searched by itself
constexpr auto longest_step = 60s;
constexpr auto others_are_kept = 10min;

std::int64_t random_number() {
    std::int64_t number = 0;
    const auto bytes = core::random_bytes(sizeof number);
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
}

// Whether it names indexes of the table. Version 1 called them TABLE_a and TABLE_b.
bool is_pair_of(std::string_view table, std::string_view pair) {
    return pair == table || (pair.starts_with(table) && pair.substr(table.size()).starts_with("_"));
}

// The lease of who builds an index, and its name as a reader of the change log.
std::string builder(const SphinxIndex& described) {
    return "build index " + described.pair();
}

}  // namespace

Indexer::Indexer(db::Connection& connection, const core::Config::Search& config, SphinxIndex described)
    : connection_(connection), config_(config), server_(config, longest_step), described_(std::move(described)) {}

bool Indexer::follow(const MayGoOn& may_go_on) {
    const auto table = described_.table();
    if (!words_complete(connection_, table))
        throw std::runtime_error("the words of " + std::string(table) + " are not written: run tradepostctl reindex");
    const bool more = changes::number(connection_) >= std::size_t(changes::numbered_at_once);
    const auto built = searched_index(connection_, described_);
    if (!built) return rebuild(may_go_on).has_value();
    const auto now = steady::now();
    if (built != built_) {
        built_ = built;
        since_ = looked_after_ = now;
        told_ = saved_ = -1;
        other_is_empty_ = false;
    }
    try {
        const auto last = changes::last_position(connection_);
        std::optional<IndexState> state;
        std::size_t count = batch;
        for (int taken = 0; taken < batches_at_once && count >= std::size_t(batch); ++taken) {
            // Asked before each batch: one who followed without the lease may have set it back.
            state = trusted_state(connection_, server_, described_, *built);
            if (!state) return rebuild(may_go_on).has_value();
            count = take(*built, *state);
        }
        tell_position(*built, *state, last, count == 0);
        look_after(*built);
        return more || count >= std::size_t(batch);
    } catch (const changes::LogTruncated& error) {
        core::log::warning("index_cannot_follow", {{"table", table}, {"why", error.what()}});
        return rebuild(may_go_on).has_value();
    }
}

// With `idle`, what came up to `last` was of other tables.
void Indexer::tell_position(const Built& built, IndexState state, std::int64_t last, bool idle) {
    const auto now = steady::now();
    const bool due = now - told_at_ > reader_is_seen;
    if (!due && (now - told_at_ <= reader_moves || state.position == told_)) return;
    if (due && idle && state.position < last) {
        state = state_at(built, last);
        server_.execute(store_state(described_.name(built.side), state));
    }
    changes::set_reader(connection_, reader(described_), described_.collection(), state.position);
    told_at_ = now;
    told_ = state.position;
}

IndexState Indexer::state_at(const Built& built, std::int64_t position) {
    const auto history = history_at(connection_, described_, built, position);
    if (!history) throw changes::LogTruncated("the change at " + std::to_string(position) + " is gone");
    return {position, *history};
}

// Takes a batch behind `state`. Returns how many changes it had.
std::size_t Indexer::take(const Built& built, IndexState& state) {
    const auto changed = changes::read(connection_, described_.collection(), state.position, batch);
    if (changed.empty()) return 0;
    std::set<core::Uuid> unique;
    for (const auto& change : changed) {
        unique.insert(change.id);
        taken_.push_back({described_.collection(), change.id, change.organisation_id, change.kind});
    }
    const auto next = state_at(built, changed.back().position);
    write(described_.name(built.side), std::vector<core::Uuid>(unique.begin(), unique.end()), next);
    state = next;
    return changed.size();
}

// Rows and position at once, so that the index is never ahead of its position or behind it.
void Indexer::write(const std::string& index, std::span<const core::Uuid> ids, const IndexState& state) {
    auto gone = make_numbers(connection_, described_.table(), ids);
    std::vector<core::Uuid> found;
    const auto statements = replacements(connection_, described_, index, ids, gone, found);
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

std::optional<std::int64_t> Indexer::rebuild(const MayGoOn& may_go_on) {
    auto lease = db::Lease::take(connection_, builder(described_), longest_step);
    if (!lease) return {};
    const auto going_on = [&] { return lease->renew() && may_go_on(); };
    const Built built{other_side(searched_index(connection_, described_)), random_number()};
    const auto index = described_.name(built.side);
    server_.execute("TRUNCATE RTINDEX " + index);

    changes::number(connection_);
    IndexState state{changes::last_position(connection_), 0};
    const auto building = builder(described_);
    changes::set_reader(connection_, building, described_.collection(), state.position);
    const auto rows = copy_rows(connection_, config_, described_, index, going_on);
    for (std::size_t taken = batch; taken >= std::size_t(batch);) {
        if (!going_on()) throw Interrupted("the index " + index + " is not finished");
        changes::number(connection_);
        taken = take(built, state);
    }
    // Without the lease somebody else may have emptied the index.
    if (!going_on()) throw Interrupted("the index " + index + " is not finished");
    server_.execute(store_state(index, state_at(built, state.position)));
    server_.execute("FLUSH RTINDEX " + index);
    set_searched_index(connection_, described_, built);
    for (const auto& name : {reader(described_), on_disk(reader(described_))})
        changes::set_reader(connection_, name, described_.collection(), state.position);
    changes::remove_reader(connection_, building);
    core::log::info("index_built", {{"index", index}, {"rows", rows}});
    return rows;
}

// A server that is killed comes back with what it had when its memory was last written to its files, and with the position of then: the log
// keeps what it needs to go on from there.
void Indexer::save(const Built& built) {
    const auto state = index_state(server_, described_.name(built.side));
    if (!state) return;
    if (state->position != saved_) server_.execute("FLUSH RTINDEX " + described_.name(built.side));
    changes::set_reader(connection_, on_disk(reader(described_)), described_.collection(), state->position);
    saved_ = state->position;
}

// The index that is searched no more is emptied, and one of many pieces is put together; the server does the latter beside its searches.
void Indexer::look_after(const Built& built) {
    const auto now = steady::now();
    if (!other_is_empty_ && now - since_ > told_apart) {
        if (const auto lease = db::Lease::take(connection_, builder(described_), longest_step)) {
            if (searched_index(connection_, described_) != built) return;
            server_.execute("TRUNCATE RTINDEX " + described_.name(other_side(built)));
            other_is_empty_ = true;
        }
    }
    if (now - looked_after_ < looks_after) return;
    looked_after_ = now;
    save(built);
    drop_others();
    const auto index = described_.name(built.side);
    for (const auto& row : server_.query("SHOW INDEX " + index + " STATUS"))
        if (row.text(0) == "disk_chunks" && row.integer(1) > most_chunks) server_.execute("OPTIMIZE INDEX " + index);
}

// Another version may be searching its own indexes of the table: the one before, until its workers have stopped at the end of an upgrade, or that
// of another host. Once nobody has followed them for a while they are of no use, and would keep the change log.
void Indexer::drop_others() {
    const auto table = described_.table();
    for (const auto& row : connection_.query("SELECT list FROM search_indexes")) {
        const auto pair = row.text(0);
        if (pair == described_.pair() || !is_pair_of(table, pair)) continue;
        const auto name = reader(described_.collection(), pair.substr(table.size()));
        const auto lease = db::Lease::take(connection_, follower(pair), longest_step);
        if (!lease || changes::is_seen(connection_, name, others_are_kept)) continue;
        for (const auto& index : server_.query("SHOW TABLES"))
            for (const char side : {'a', 'b'})
                if (index.text(0) == std::string(pair) + "_" + side)
                    server_.execute("TRUNCATE RTINDEX " + std::string(index.text(0)));
        connection_.execute("DELETE FROM search_indexes WHERE list = ?", {pair});
        for (const auto& each : {name, on_disk(name)}) changes::remove_reader(connection_, each);
        core::log::info("index_dropped", {{"index", pair}});
    }
}

void Indexer::record_again() {
    db::in_transaction(connection_, [&] { changes::record(connection_, taken_); });
    taken_.clear();
}

}  // namespace tradepost::search
