// What the numbers of the servers' and the client library's errors mean for the connection.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::db {

// An error of the server or the client library, ready to be thrown (more than once, for a transaction that is lost).
struct Failure {
    int code = 0;
    std::string text;

    // The server is away, shutting down, full, or takes no writes at the moment: thrown as Unavailable.
    bool unavailable() const;
    // The server cannot store anything more. Others of its cluster may.
    bool disk_full() const;
    // The connection cannot be used for another statement.
    bool spoils_connection() const;
    // The connection was closed by the other side while nobody looked: a read may be sent again on a new one.
    bool found_closed() const;

    // Throws Unavailable or Error.
    [[noreturn]] void raise() const;
};

// `server_text` with its code and what was being done: the statement without its values. The text loses the values that it quotes.
Failure make_failure(int code, std::string_view server_text, std::string_view what);

// Makes transactions wait for each other by an id: of one host, and between the nodes of a cluster.

// Inside a transaction: of two transactions on different nodes that name the same id, one fails at COMMIT as a deadlock does, and is run
// again. Galera compares the rows that transactions write, not those that they lock (https://galeracluster.com, "Certification-Based
// Replication"), and hosts may use different nodes for some seconds. Does nothing without a cluster, where locks do this. Throws Error.
void conflict_on(Connection& connection, std::span<const core::Uuid> ids);

// Inside a transaction: waits until no other transaction has the turn of one of these ids, and keeps it until the end. In a cluster as
// conflict_on(). Throws Error.
void take_turn(Connection& connection, std::span<const core::Uuid> ids);

}  // namespace tradepost::db
