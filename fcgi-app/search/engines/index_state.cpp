#include "search/engines/index_state.h"

#include "changes/log.h"
#include "core/crypto.h"
#include "core/time.h"

namespace tradepost::search {

std::optional<Built> searched_index(db::Connection& connection, const SphinxIndex& described) {
    const auto rows = connection.query("SELECT side, identity FROM search_indexes WHERE list = ?", {described.pair()});
    if (rows.empty()) return {};
    return Built{rows[0].text(0).at(0), rows[0].integer(1)};
}

void set_searched_index(db::Connection& connection, const SphinxIndex& described, const Built& built) {
    connection.execute(
        "INSERT INTO search_indexes (list, side, identity) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE side = VALUES(side), "
        "identity = "
        "VALUES(identity)",
        {described.pair(), std::string_view(&built.side, 1), built.identity});
}

std::optional<IndexState> index_state(db::SphinxQl& server, const std::string& index) {
    const auto rows = server.query("SELECT id_high, id_low FROM " + index + " WHERE " + SphinxIndex::is_note);
    if (rows.empty()) return {};
    return IndexState{rows[0].integer(0), rows[0].integer(1)};
}

std::string store_state(const std::string& index, const IndexState& state) {
    return "REPLACE INTO " + index + " " + SphinxIndex::note(state.position, state.history);
}

std::optional<std::int64_t> history_at(db::Connection& connection, const SphinxIndex& described, const Built& built,
                                       std::int64_t position) {
    auto text = std::to_string(described.fingerprint()) + " " + std::to_string(built.identity) + " ";
    if (position > 0) {
        const auto change = changes::find(connection, position);
        if (!change) return {};
        text += change->id.to_string() + core::to_rfc3339(change->changed_at);
    }
    const auto hash = core::sha256(text);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 8; ++i) bits = bits << 8 | std::uint8_t(hash[i]);
    return std::int64_t(bits);
}

std::optional<IndexState> trusted_state(db::Connection& connection, db::SphinxQl& server, const SphinxIndex& described,
                                        const Built& built) {
    auto state = index_state(server, described.name(built.side));
    if (state && history_at(connection, described, built, state->position) != state->history) state.reset();
    return state;
}

}  // namespace tradepost::search
