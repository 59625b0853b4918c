// The numbered files of sql/, applied in order and remembered with their checksums in `schema_migrations`.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "db/connection.h"

namespace tradepost::db {

struct Migration {
    int number;            // 1 for 001_users.sql
    std::string name;      // "001_users.sql"
    std::string sql;       // one statement
    std::string checksum;  // SHA-256 of the file, hex
};

struct SchemaState {
    int applied = 0;                   // highest number in the database, 0 for none
    int known = 0;                     // highest number of the files
    std::vector<std::string> pending;  // names
    std::vector<std::string> changed;  // applied with another checksum, or applied and no longer known
    bool current() const { return pending.empty() && changed.empty(); }
};

// The directory of the numbered SQL files of the source tree or installation that this program is part of. Throws std::runtime_error when there
// is none.
std::string migrations_directory();

// Reads NNN_name.sql files, sorted; throws std::runtime_error for gaps, doubles, or a file without exactly one statement.
std::vector<Migration> read_migrations(const std::string& directory);

SchemaState schema_state(Connection& connection, const std::vector<Migration>& migrations);

// Throws std::runtime_error when an applied file has changed or the schema is newer than the files.
void refuse_changes(const SchemaState& state);

// Applies what is pending, one by one, calling `applied(name)` after each. A step that fails leaves those before it
// applied and recorded; running again goes on there. Throws also as refuse_changes().
void migrate(Connection& connection, const std::vector<Migration>& migrations,
             const std::function<void(const std::string& name)>& applied);

// The same by one process of all hosts at a time, on a connection of its own: a statement may take a day. While another process migrates this
// waits, after calling `waits(holder)` once, and goes on from where the other one ended. Changes nothing when nothing is pending.
void migrate_alone(const core::Config::Database& config, const std::vector<Migration>& migrations,
                   const std::function<void(const std::string& name)>& applied,
                   const std::function<void(const std::string& holder)>& waits);

}  // namespace tradepost::db
