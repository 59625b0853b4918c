#include "db/migrations.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include "core/crypto.h"
#include "db/lease.h"
#include "db/statement.h"

namespace tradepost::db {
namespace {

struct Applied {
    std::string name;
    std::string checksum;
};

constexpr int no_such_table = 1146;

// Of the index of a table with many millions of rows.
constexpr std::chrono::hours longest_migration{24};

constexpr const char* create_table =
    "CREATE TABLE IF NOT EXISTS schema_migrations ("
    "number INT NOT NULL PRIMARY KEY, "
    "name VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, "
    "checksum CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, "
    "applied_at DATETIME(3) NOT NULL) ENGINE=InnoDB";

// The number of "NNN_name.sql", 0 for any other name.
int file_number(const std::string& name) {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto word = [&](char c) { return digit(c) || (c >= 'a' && c <= 'z') || c == '_'; };
    if (name.size() < 9 || name.size() > 100 || !std::all_of(name.begin(), name.begin() + 3, digit) || name[3] != '_') return 0;
    if (!std::all_of(name.begin() + 4, name.end() - 4, word)) return 0;
    return std::stoi(name.substr(0, 3));
}

Migration read_file(const std::filesystem::path& path) {
    const std::string name = path.filename();
    const int number = file_number(name);
    if (number == 0) throw std::runtime_error(path.string() + ": migrations are named like 001_users.sql");
    std::ifstream file(path, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    if (!file) throw std::runtime_error("cannot read " + path.string());
    try {
        return {number, name, std::string(only_statement(content)), core::to_hex(core::sha256(content))};
    } catch (const std::logic_error& error) {
        throw std::runtime_error(path.string() + ": " + error.what() + "; a migration is exactly one, since none can be undone");
    }
}

std::map<int, Applied> read_applied(Connection& connection) {
    std::map<int, Applied> applied;
    try {
        for (const auto& row : connection.query("SELECT number, name, checksum FROM schema_migrations ORDER BY number")) {
            applied[int(row.integer(0))] = {row.text(1), row.text(2)};
        }
    } catch (const Error& error) {
        if (error.code != no_such_table) throw;
    }
    return applied;
}

// A column, an index or a foreign key that is there already was added by a step that was interrupted, and one that is gone was dropped by it:
// MySQL has no IF NOT EXISTS and no IF EXISTS for them.
void add(Connection& connection, const std::string& sql) try { connection.execute(sql); } catch (const Error& error) {
    constexpr int duplicate_column = 1060, duplicate_index = 1061, no_such_key = 1091;
    if (error.code != duplicate_column && error.code != duplicate_index && error.code != no_such_key) throw;
}

void apply(Connection& connection, const Migration& migration) {
    // A second migrate at the same time holds the table for a moment; every step is safe to repeat.
    const auto begin = std::chrono::steady_clock::now();
    for (int attempt = 1;; ++attempt) {
        try {
            add(connection, migration.sql);
            connection.execute(
                "INSERT INTO schema_migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, UTC_TIMESTAMP(3))",
                {migration.number, migration.name, migration.checksum});
            return;
        } catch (const Error& error) {
            if (error.is_duplicate_key()) return;  // the other one was first; what it recorded is checked at the end
            if (!may_retry(error, attempt, begin, std::chrono::minutes(1))) throw;
        }
    }
}

// Null before the migration that creates the table of leases.
std::unique_ptr<KeptLease> await_lease(const core::Config::Database& config, std::function<void()> lost,
                                       const std::function<void(const std::string& holder)>& waits) try {
    for (bool told = false;; told = true) {
        std::string holder;
        if (auto lease = KeptLease::take(config, "migrate", lost, &holder)) return lease;
        if (!told) waits(holder);
        std::this_thread::sleep_for(std::chrono::seconds(1));
    }
} catch (const Error& error) {
    if (error.code != no_such_table) throw;
    return {};
}

}  // namespace

std::string migrations_directory() {
    namespace fs = std::filesystem;
    std::error_code failure;
    const fs::path folder = fs::read_symlink("/proc/self/exe", failure).parent_path();
    // build/ of a source tree, bin/ of an installation's prefix, then the system's own.
    for (const auto& place :
         {folder / "../sql", folder / "../../sql", folder / "../share/tradepost/sql", fs::path("/usr/share/tradepost/sql")})
        if (fs::is_regular_file(place / "001_users.sql", failure)) return fs::canonical(place, failure).string();
    throw std::runtime_error(
        "the SQL files were not found beside this program: install the package again, or name their folder with --sql DIR");
}

std::vector<Migration> read_migrations(const std::string& directory) {
    std::error_code failure;
    std::vector<Migration> migrations;
    std::filesystem::directory_iterator files(directory, failure);
    if (failure) throw std::runtime_error("cannot read the directory " + directory + ": " + failure.message());
    for (const auto& file : files) {
        if (file.path().extension() == ".sql") migrations.push_back(read_file(file.path()));
    }
    if (migrations.empty()) throw std::runtime_error("there are no migrations in " + directory);
    std::sort(migrations.begin(), migrations.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    for (int expected = 1; const auto& migration : migrations) {
        if (migration.number != expected) {
            throw std::runtime_error(directory + ": the migration number " +
                                     std::to_string(std::min(expected, migration.number)) +
                                     (migration.number < expected ? " is there twice" : " is missing"));
        }
        ++expected;
    }
    return migrations;
}

SchemaState schema_state(Connection& connection, const std::vector<Migration>& migrations) {
    auto applied = read_applied(connection);
    SchemaState state;
    if (!applied.empty()) state.applied = applied.rbegin()->first;
    for (const auto& migration : migrations) {
        state.known = std::max(state.known, migration.number);
        const auto found = applied.find(migration.number);
        if (found == applied.end()) {
            state.pending.push_back(migration.name);
        } else {
            if (found->second.checksum != migration.checksum) state.changed.push_back(migration.name);
            applied.erase(found);
        }
    }
    for (const auto& [number, unknown] : applied) state.changed.push_back(unknown.name);
    return state;
}

void refuse_changes(const SchemaState& state) {
    if (state.applied > state.known) {
        throw std::runtime_error("the database's schema is at number " + std::to_string(state.applied) +
                                 ", newer than this program's " + std::to_string(state.known) +
                                 ": install the version that made it, or a later one");
    }
    if (!state.changed.empty()) {
        throw std::runtime_error("already applied with other contents: " + state.changed.front() +
                                 "; restore that file as it was, and put the change into a new file with the next number");
    }
}

void migrate(Connection& connection, const std::vector<Migration>& migrations,
             const std::function<void(const std::string& name)>& applied) {
    connection.execute(create_table);
    const auto state = schema_state(connection, migrations);
    refuse_changes(state);
    for (const auto& migration : migrations) {
        if (std::find(state.pending.begin(), state.pending.end(), migration.name) == state.pending.end()) continue;
        apply(connection, migration);
        if (applied) applied(migration.name);
    }
    refuse_changes(schema_state(connection, migrations));
}

void migrate_alone(const core::Config::Database& config, const std::vector<Migration>& migrations,
                   const std::function<void(const std::string& name)>& applied,
                   const std::function<void(const std::string& holder)>& waits) {
    {
        Connection connection(config);
        const auto state = schema_state(connection, migrations);
        refuse_changes(state);
        if (state.pending.empty()) return;
    }
    std::atomic<bool> lost = false;
    const auto lease = await_lease(
        config, [&] { lost = true; }, waits);
    Connection connection(config, longest_migration);
    migrate(connection, migrations, [&](const std::string& name) {
        applied(name);
        if (lost) throw std::runtime_error("another process may be migrating too: run the command again");
    });
}

}  // namespace tradepost::db
