#include "scale/database.h"

#include <chrono>
#include <exception>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "core/text.h"
#include "support/recount.h"
#include "support/threads.h"

namespace tradepost::test {
namespace {

constexpr std::chrono::seconds patience{900};

std::map<std::string, std::set<std::string>>& expected() {
    static std::map<std::string, std::set<std::string>> conditions;
    return conditions;
}

void replace(std::string& text, const std::string& what, const std::string& by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

std::string read_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(path + ": cannot be read");
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

SizedDatabase::SizedDatabase(std::int64_t jobs, core::Time now)
    : jobs_(jobs), now_(now), connection_(database_.config(), patience) {
    fill();
}

std::string SizedDatabase::filled(std::string sql) const {
    replace(sql, "{jobs}", std::to_string(jobs_));
    replace(sql, "{rows}", std::to_string(jobs_ / 5));
    replace(sql, "{now}", core::to_sql(now_));
    replace(sql, "{soon}", core::to_sql(soon()));
    replace(sql, "{long ago}", core::to_sql(long_ago()));
    replace(sql, "{start}", core::to_sql(now_ - std::chrono::hours(3 * 365 * 24)));
    return sql;
}

void SizedDatabase::fill_words() {
    connection_.execute(
        "CREATE TABLE fixture_words (kind VARCHAR(16) NOT NULL, n INT NOT NULL, text VARCHAR(80) NOT NULL, "
        "text_key BINARY(16) NOT NULL, PRIMARY KEY (kind, n)) COLLATE utf8mb4_bin");
    const auto add = [&](const char* kind, const std::string& name, int count) {
        for (int n = 0; n < count; ++n) {
            const auto text = name + " " + std::to_string(n), key = core::fold_key(text);
            connection_.execute("INSERT INTO fixture_words VALUES (?, ?, ?, ?)", {kind, n, text, db::Binary{key}});
        }
    };
    add("category", "Catégorie", 20);
    add("department", "Department", 30);
    add("city", "Łódź", 300);
    add("tag", "Tag", 40);
    add("make", "Märke", 20);
    add("model", "Model", 200);
}

void SizedDatabase::run_files(const std::vector<std::string>& names) {
    db::Connection connection(config(), patience);
    // Rows for an empty table are sorted and written index by index when nothing is to be checked.
    connection.execute("SET unique_checks = 0, foreign_key_checks = 0");
    for (const auto& name : names) {
        const auto text = filled(read_file("tests/scale/rows/" + name + ".sql"));
        for (std::size_t begin = 0, end; (end = text.find(";\n", begin)) != std::string::npos; begin = end + 2)
            connection.execute(text.substr(begin, end - begin));
    }
}

void SizedDatabase::fill() {
    fill_words();
    run_files({"organisations"});
    test::Thread beside([&] { run_files({"stock", "enquiries", "events"}); });
    run_files({"jobs", "posts"});
    beside.join();
    recount_all(connection_);
    for (const char* table : {"jobs", "stock_items", "enquiries", "posts", "post_tags", "events"})
        connection_.query(std::string("ANALYZE TABLE ") + table);
}

std::int64_t SizedDatabase::count(const std::string& from, const std::string& condition) {
    auto& counted = counted_[from];
    if (const auto found = counted.find(condition); found != counted.end()) return found->second;
    auto conditions = expected()[from];
    conditions.insert(condition);
    std::string sql;
    for (const auto& each : conditions) sql += (sql.empty() ? "SELECT COUNT(IF(" : ", COUNT(IF(") + each + ", 1, NULL))";
    const auto row = connection_.query(filled(sql + " FROM " + from)).at(0);
    std::size_t at = 0;
    for (const auto& each : conditions) counted[each] = row.integer(at++);
    return counted.at(condition);
}

void expect(const std::string& from, const std::string& condition) {
    expected()[from].insert(condition);
}

}  // namespace tradepost::test
