// Opens connections of the connector with the settings that the rest of this folder relies on.
#pragma once
#include <chrono>
#include <memory>
#include <string>

#include "core/config.h"

namespace sql {
class Connection;
class Driver;
}  // namespace sql

namespace tradepost::db {

// A new connection: utf8mb4, UTC, strict SQL mode, READ COMMITTED, autocommit, short lock waits, encrypted when the
// server is on another host. Takes a second at most to find that nobody answers.
// Throws Unavailable or Error; the text never holds the password.
std::unique_ptr<sql::Connection> open_session(const core::Config::Database& config, const core::Config::DatabaseServer& server,
                                              std::chrono::seconds read_timeout);

// The connector itself, for whichever thread asks first: its own function is for one thread.
sql::Driver& driver();

// What the log calls a server: unix://SOCKET or tcp://HOST:PORT.
std::string name(const core::Config::DatabaseServer& server);

}  // namespace tradepost::db
