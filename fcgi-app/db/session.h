// Opens connections of the connector with the settings that the rest of this folder relies on.
#pragma once
#include <chrono>
#include <memory>
#include <string>

#include "core/config.h"
#include "core/file_descriptor.h"
#include "db/servers.h"

namespace sql {
class Connection;
class Driver;
class Statement;
}  // namespace sql

namespace tradepost::db {

// One of the places of database.max_connections, until this object ends: a lock on a byte of the file that the instance's processes share.
class ConnectionPlace {
public:
    ConnectionPlace() = default;  // none is needed
    // Opens the file. Without one, `why` says what is wrong.
    ConnectionPlace(const std::string& path, std::string& why);
    ConnectionPlace(ConnectionPlace&& other) noexcept = default;
    ConnectionPlace& operator=(ConnectionPlace&& other) noexcept = default;
    ~ConnectionPlace();

    bool lock(int byte) noexcept;  // false: another process has it
    const core::FileDescriptor& file() const { return file_; }
    int byte() const { return byte_; }
    std::chrono::steady_clock::time_point since() const { return since_; }

private:
    core::FileDescriptor file_;
    int byte_ = 0;
    std::chrono::steady_clock::time_point since_{};
};

// A session with a server, and what is known of it.
struct Session {
    ConnectionPlace its_place;
    std::unique_ptr<sql::Connection> session;  // empty: not connected
    std::unique_ptr<sql::Statement> statement;
    bool mariadb = false;
    std::chrono::steady_clock::time_point last_use{};
    Servers::Position server{};

    void close() noexcept;
};

// A new connection: utf8mb4, UTC, strict SQL mode, READ COMMITTED, autocommit, short lock waits, and whatever else answers depend on, whichever
// values the server has for new sessions. Encrypted when the server is on another host, or `config.tls_ca` is set. Takes `config.connect_timeout` at most to find that nobody answers.
// Throws Unavailable or Error; the text never holds the password.
std::unique_ptr<sql::Connection> open_session(const core::Config::Database& config, const core::Config::DatabaseServer& server,
                                              std::chrono::seconds read_timeout);

// The connector itself, for whichever thread asks first: its own function is for one thread.
sql::Driver& driver();

// What the log calls a server: unix://SOCKET or tcp://HOST:PORT.
std::string name(const core::Config::DatabaseServer& server);

}  // namespace tradepost::db
