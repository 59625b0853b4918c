// Settings of a database server that an administrator may choose for new sessions, and that must change nothing.
#pragma once
#include <span>
#include <string>

#include "db/connection.h"

namespace tradepost::test {

struct ServerSetting {
    const char* name;
    const char* unusual;     // the value for new sessions, as SQL; null: it stays as it is
    std::string in_session;  // the value that each of our sessions has
    enum { both, mariadb, mysql } server = both;
    const char* seen_as = name;  // the session's variable that follows from it
};

// All of them, also those of the other server.
std::span<const ServerSetting> server_settings();

bool has(db::Connection& connection, const ServerSetting& setting);

// Gives the server the unusual values, which stay. The first TestDatabase of a process does so: every test shows that they change nothing.
void set_unusual(db::Connection& administrator);

}  // namespace tradepost::test
