// Databases of the same contents in two sizes: what a read costs in the large one is held against the small one.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/time.h"
#include "support/database.h"

namespace tradepost::test {

// Filled by tests/scale/rows/*.sql with `jobs` jobs and a fifth as many stock items, enquiries, posts and events, spread alike
// whatever the size.
class SizedDatabase {
public:
    SizedDatabase(std::int64_t jobs, core::Time now);

    std::int64_t jobs() const { return jobs_; }
    core::Time now() const { return now_; }  // what has expired, and is over, has by then
    const core::Config::Database& config() const { return database_.config(); }
    db::Connection& connection() { return connection_; }

    // Times that tests ask for: 45 days ahead, 400 days ago.
    core::Time soon() const { return now_ + std::chrono::hours(24 * 45); }
    core::Time long_ago() const { return now_ - std::chrono::hours(24 * 400); }

    // With "{jobs}", "{rows}" (of the others), "{now}", "{soon}" and "{long ago}" replaced, in SQL.
    std::string filled(std::string sql) const;

    // How many rows of `from` meet the condition: counted one by one, together with all that expect() named. Both are SQL.
    std::int64_t count(const std::string& from, const std::string& condition);

private:
    void fill();
    void fill_words();
    void run_files(const std::vector<std::string>& names);

    std::int64_t jobs_;
    core::Time now_;
    MigratedDatabase database_;
    db::Connection connection_;
    std::map<std::string, std::map<std::string, std::int64_t>> counted_;
};

// Announces what SizedDatabase::count() will be asked, so that a table is read once for all of them.
void expect(const std::string& from, const std::string& condition);

}  // namespace tradepost::test
