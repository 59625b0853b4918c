// The databases of the tests themselves: a copy is what the migrations make.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <map>
#include <regex>
#include <utility>

#include "support/database.h"

using namespace tradepost;

namespace {

// Each table's definition, with its rows' checksum.
std::map<std::string, std::pair<std::string, std::string>> contents(const core::Config::Database& config) {
    db::Connection connection(config);
    std::map<std::string, std::pair<std::string, std::string>> tables;
    for (const auto& row : connection.query("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()")) {
        const auto name = row.text(0);
        // Times of its own are all that two runs of the migrations differ by.
        if (name == "schema_migrations") connection.execute("UPDATE schema_migrations SET applied_at = '2026-01-01'");
        // MySQL repeats a column's character set where the statement that made it named the collation.
        static const std::regex repeated(" CHARACTER SET utf8mb4 COLLATE ");
        const auto definition = connection.query("SHOW CREATE TABLE " + name).at(0).text(1);
        // Where the ids of rows that are gone ended.
        static const std::regex next_id(" AUTO_INCREMENT=[0-9]+");
        tables[name] = {std::regex_replace(std::regex_replace(definition, repeated, " COLLATE "), next_id, ""),
                        connection.query("CHECKSUM TABLE " + name).at(0).opt_text(1).value_or("NULL")};
    }
    return tables;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_databases)

BOOST_AUTO_TEST_CASE(a_copy_is_what_the_migrations_make) {
    test::TestDatabase original;
    original.migrate();
    const auto expected = contents(original.config());
    BOOST_TEST(expected.size() > 20u);
    test::MigratedDatabase copy;
    const auto copied = contents(copy.config());
    for (const auto& [name, content] : expected) {
        BOOST_TEST(copied.at(name).first == content.first);
        BOOST_TEST(copied.at(name).second == content.second, name);
    }
    BOOST_TEST(copied.size() == expected.size());
}

BOOST_AUTO_TEST_CASE(a_database_is_used_again_without_its_rows) {
    std::map<std::string, std::pair<std::string, std::string>> expected;
    std::string name;
    {
        test::MigratedDatabase first;
        expected = contents(first.config());
        name = first.config().name;
        db::Connection connection(first.config());
        connection.execute("DELETE FROM list_counts");
        connection.execute("INSERT INTO instance_keys VALUES ('k', REPEAT('x', 32), '2026-01-01')");
        BOOST_TEST((contents(first.config()) != expected));
    }
    test::MigratedDatabase second;
    BOOST_TEST(second.config().name == name);
    BOOST_TEST((contents(second.config()) == expected));
}

BOOST_AUTO_TEST_SUITE_END()
