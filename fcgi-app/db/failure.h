// What the numbers of the servers' and the client library's errors mean for the connection.
#pragma once
#include <string>
#include <string_view>

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

// `server_text` with its code and what was being done: the statement without its values.
Failure make_failure(int code, std::string_view server_text, std::string_view what);

}  // namespace tradepost::db
