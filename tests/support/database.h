// Databases for tests on the server that the configuration file in TRADEPOST_TEST_CONFIG names. Its user must be allowed
// to create databases and to end other connections.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "core/config.h"
#include "db/connection.h"

namespace tradepost::test {

// The settings of the test server, with the limits of patient_config(). Throws std::runtime_error, saying what to set, when the variable is missing.
core::Config::Database test_server();

// An empty database with a name of its own, dropped when this object ends.
class TestDatabase {
public:
    TestDatabase();
    ~TestDatabase();
    TestDatabase(const TestDatabase&) = delete;
    TestDatabase& operator=(const TestDatabase&) = delete;

    const core::Config::Database& config() const { return config_; }

    void migrate();  // applies sql/ of the project (the working directory is its root), one file after the other

    // Ends `connection`'s session at the server, as an administrator would, and returns once it is gone.
    void kill(db::Connection& connection);
    void kill(std::uint64_t session);

private:
    core::Config::Database config_;
    db::Connection admin_;
};

// A database with the project's tables and only the rows that the migrations insert. The migrations run once in a process, into a
// template that the others are copied from. A database that ends is kept and used again with other rows, which is much faster than
// a new one. So a test that changes a table, or adds a trigger, undoes this itself or takes a TestDatabase.
class MigratedDatabase {
public:
    MigratedDatabase();
    ~MigratedDatabase();

    const core::Config::Database& config() const { return database_->config(); }
    void clear();                                  // leaves the rows of the migrations
    void copy_rows(const MigratedDatabase& from);  // instead of its own
    void kill(db::Connection& connection) { database_->kill(connection); }
    void kill(std::uint64_t session) { database_->kill(session); }

private:
    std::unique_ptr<TestDatabase> database_;
};

// The number by which the server knows the connection.
std::uint64_t session_of(db::Connection& connection);

// Rows that the server reads for this session while `work` runs.
std::uint64_t rows_read(db::Connection& connection, const std::function<void()>& work);

// Whether that session waits for a row's lock. Takes 150 ms: InnoDB shows nothing new to those who ask more often than ten times
// a second.
bool waits_for_lock(db::Connection& watcher, std::uint64_t session);

}  // namespace tradepost::test
