#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "support/database.h"

namespace tradepost::test {
namespace {

constexpr std::chrono::seconds patience{60};

// The migrated database that the others are copied from.
class Template {
public:
    Template() {
        database_.migrate();
        db::Connection connection(database_.config(), patience);
        for (const auto& name : tables_of(connection)) {
            // LIKE would leave out the foreign keys.
            definitions_[name] = connection.query("SHOW CREATE TABLE `" + name + "`").at(0).text(1);
        }
    }

    std::unique_ptr<TestDatabase> copy() const {
        auto database = std::make_unique<TestDatabase>();
        db::Connection connection(database->config(), patience);
        connection.execute("SET foreign_key_checks = 0");  // else a table would have to come after those it refers to
        for (const auto& [name, definition] : definitions_) connection.execute(definition);
        copy_rows(database_, *database);
        return database;
    }

    void clear(const TestDatabase& database) const { copy_rows(database_, database); }

    void copy_rows(const TestDatabase& from, const TestDatabase& to) const {
        db::Connection connection(to.config(), patience);
        connection.execute("SET foreign_key_checks = 0");
        db::in_transaction(connection, [&] {
            for (const auto& [name, definition] : definitions_) {
                connection.execute("DELETE FROM `" + name + "`");
                connection.execute("INSERT INTO `" + name + "` SELECT * FROM " + from.config().name + ".`" + name + "`");
            }
        });
    }

private:
    static std::vector<std::string> tables_of(db::Connection& connection) {
        std::vector<std::string> names;
        for (const auto& row :
             connection.query("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"))
            names.push_back(row.text(0));
        return names;
    }

    TestDatabase database_;
    std::map<std::string, std::string> definitions_;  // of the tables, by name
};

// Databases that no test uses at the moment, with the rows that the last one left.
struct Pool {
    Template original;
    std::mutex mutex;
    std::vector<std::unique_ptr<TestDatabase>> unused;
};

Pool& pool() {
    static Pool pool;
    return pool;
}

}  // namespace

MigratedDatabase::MigratedDatabase() {
    auto& [original, mutex, unused] = pool();
    {
        const std::lock_guard lock(mutex);
        if (!unused.empty()) {
            database_ = std::move(unused.back());
            unused.pop_back();
        }
    }
    if (database_)
        clear();
    else
        database_ = original.copy();
}

MigratedDatabase::~MigratedDatabase() {
    const std::lock_guard lock(pool().mutex);
    pool().unused.push_back(std::move(database_));
}

void MigratedDatabase::clear() {
    pool().original.clear(*database_);
}

void MigratedDatabase::copy_rows(const MigratedDatabase& from) {
    pool().original.copy_rows(*from.database_, *database_);
}

}  // namespace tradepost::test
