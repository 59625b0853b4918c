#include "db/failure.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "db/connection.h"
#include "db/health.h"
#include "db/statement.h"

namespace tradepost::db {

namespace {

constexpr auto unavailable_codes = std::to_array<int>({
    2001, 2002, 2003, 2005,        // no socket, no answer at the address, unknown host
    2006, 2012, 2013, 2026, 2055,  // went away, handshake failed, lost in mid-statement, TLS failed, lost
    1040, 1203, 1226, 1129,        // too many connections (server, user), quota used up, host blocked
    1053, 1079, 1080, 1152, 1927,  // shutting down, closing this connection, killed
    1158, 1159, 1160, 1161,        // the server could not read or write
    4031, 3032, 3168,              // MySQL: idle too long, offline mode, not available yet
    1047, 1180,                    // Galera without a majority, also during COMMIT
    1290, 1792, 1836, 3100,        // read-only, or group replication refuses
    1036, 1874, 1881,              // InnoDB is read-only, as with innodb_force_recovery
    1665,                          // the binary log has statements, and READ COMMITTED needs rows
    3796, 3797, 3799,              // a member that cannot wait for its group
    1021, 1026, 1114,              // its disk is full
});

// Beside those above, whose connection is dropped so that the next statement may find a server that can serve it.
constexpr auto spoiling_codes = std::to_array<int>({1153, transaction_too_large, 2000, 2008, 2014, 2020, 2027});

constexpr auto closed_codes = std::to_array<int>({2006, 2013, 2055, 1053, 1079, 1080, 1927, 4031});

constexpr auto disk_full_codes = std::to_array<int>({1021, 1026, 1114});

template <class Codes>
bool contains(const Codes& codes, int code) {
    return std::find(codes.begin(), codes.end(), code) != codes.end();
}

// Galera has no number for a transaction above wsrep_max_ws_rows or wsrep_max_ws_size. MariaDB does not translate these texts.
int meaning(int code, std::string_view server_text) {
    const bool rows = code == 1180 && server_text.find("wsrep_max_ws_rows") != std::string_view::npos;
    const bool bytes = (code == 1180 || code == 1105) && server_text.find("riteset size exceeded") != std::string_view::npos;
    return rows || bytes ? transaction_too_large : code;
}

// In these texts servers quote what they were given, such as an email address or the words of a search, which no log may have.
std::string without_values(std::string_view server_text) {
    struct Quote {
        std::string_view begin, end;
    };
    constexpr auto quotes =
        std::to_array<Quote>({{"entry '", "' for key"}, {"value: '", "' for column"}, {"near '", "' at line"}});
    std::string text(server_text);
    for (const auto& [begin, end] : quotes) {
        const auto found = text.find(begin);
        if (found == std::string::npos) continue;
        const auto from = found + begin.size();
        const auto to = text.rfind(end);
        text.replace(from, to == std::string::npos || to < from ? std::string::npos : to - from, "...");
    }
    return text;
}

}  // namespace

bool Failure::unavailable() const {
    return contains(unavailable_codes, code);
}
bool Failure::spoils_connection() const {
    return unavailable() || contains(spoiling_codes, code);
}
bool Failure::disk_full() const {
    return contains(disk_full_codes, code);
}
bool Failure::found_closed() const {
    return contains(closed_codes, code);
}

void Failure::raise() const {
    if (unavailable()) throw Unavailable(code, text);
    throw Error(code, text);
}

Failure make_failure(int code, std::string_view server_text, std::string_view what) {
    return {meaning(code, server_text), without_values(server_text) + " (" + std::to_string(code) + "): " + abbreviate(what)};
}

void conflict_on(Connection& connection, std::span<const core::Uuid> ids) {
    if (connection.is_cluster()) take_turn(connection, ids);
}

void take_turn(Connection& connection, std::span<const core::Uuid> ids) {
    if (ids.empty()) return;
    std::vector<core::Uuid> sorted(ids.begin(), ids.end());  // one order of locks prevents deadlocks
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    std::string rows;
    for (std::size_t i = 0; i < sorted.size(); ++i) rows += i ? ", (?, 1)" : "(?, 1)";
    connection.execute("INSERT INTO conflicts (id, writes) VALUES " + rows + " ON DUPLICATE KEY UPDATE writes = writes + 1",
                       std::vector<Value>(sorted.begin(), sorted.end()));
}

}  // namespace tradepost::db
