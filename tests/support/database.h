// Databases for tests on the server that the configuration file in TRADEPOST_TEST_CONFIG names. Its user must be allowed
// to create databases and to end other connections.
#pragma once
#include <string>

#include "core/config.h"
#include "db/connection.h"

namespace tradepost::test {

// The settings of the test server. Throws std::runtime_error, saying what to set, when the variable is missing.
core::Config::Database test_server();

// An empty database with a name of its own, dropped when this object ends.
class TestDatabase {
public:
    TestDatabase();
    ~TestDatabase();
    TestDatabase(const TestDatabase&) = delete;
    TestDatabase& operator=(const TestDatabase&) = delete;

    const core::Config::Database& config() const { return config_; }

    void migrate();  // applies sql/ of the project (the working directory is its root)
    void clear();    // deletes all rows, those of schema_migrations excepted: much faster than a new database

    // Ends `connection`'s session at the server, as an administrator would, and returns once it is gone.
    void kill(db::Connection& connection);
    void kill(std::uint64_t session);

private:
    core::Config::Database config_;
    db::Connection admin_;
};

// The number by which the server knows the connection.
std::uint64_t session_of(db::Connection& connection);

// Whether that session waits for a row's lock. Takes 150 ms: InnoDB shows nothing new to those who ask more often than ten times
// a second.
bool waits_for_lock(db::Connection& watcher, std::uint64_t session);

}  // namespace tradepost::test
