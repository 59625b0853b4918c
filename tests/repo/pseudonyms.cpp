// `tradepostctl pseudonyms`: each column of the schema is decided, and nothing that is to be replaced is left anywhere.
#define BOOST_TEST_DYN_LINK
#include "ctl/pseudonyms/pseudonyms.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "core/outgoing.h"
#include "core/text.h"
#include "counts/table.h"
#include "ctl/context.h"
#include "ctl/pseudonyms/columns.h"
#include "db/statement.h"
#include "identity/people/users.h"
#include "repo/application.h"
#include "repo/ctl_support.h"
#include "resources/tables.h"
#include "search/engines/words_state.h"

using namespace tradepost;

namespace {

std::vector<std::string> words_of(std::string_view text) {
    std::istringstream in{std::string(text)};
    return {std::istream_iterator<std::string>(in), {}};
}

using Cells = std::multimap<std::string, std::string>;  // by "table.column"

struct Fixture : test::ApplicationFixture {
    db::Connection connection{config.database};
    ctl::Pseudonyms pseudonyms{"a key of at least so many characters"};

    Fixture() {
        connection.execute(
            "UPDATE enquiries SET name = 'Wilhelmina Featherstone', phone = '+44 1632 960011', note = 'Featherstone "
            "rang' ORDER BY id LIMIT 1");
        connection.execute("UPDATE users SET name = 'Wilhelmina Featherstone' WHERE email_key = 'solo@example.com'");
        connection.execute("UPDATE enquiries SET email = 'Solo@Example.com' ORDER BY id LIMIT 1");
        connection.execute("UPDATE stock_items SET description = 'Ask solo@example.com, or ring +44 1632 960011.'");
        connection.execute("UPDATE jobs SET apply_email = 'solo@example.com', description = 'Ring 01632 960011.'");
    }

    // All texts of the database.
    Cells cells() {
        Cells found;
        for (const auto& column :
             connection.query("SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = DATABASE()"))
            for (const auto& row : connection.query("SELECT " + column.text(1) + " FROM `" + column.text(0) + "` WHERE " +
                                                    column.text(1) + " IS NOT NULL"))
                found.emplace(column.text(0) + "." + column.text(1), row.text(0));
        return found;
    }
    std::string text(const std::string& sql) { return connection.query(sql).at(0).text(0); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(pseudonyms)

BOOST_FIXTURE_TEST_CASE(each_column_of_the_schema_is_decided, Fixture) {
    std::vector<std::string> all;
    std::set<std::string> tables;
    for (const auto& row :
         connection.query("SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = DATABASE()")) {
        tables.insert(row.text(0));
        all.push_back(row.text(0) + "." + row.text(1));
    }
    BOOST_TEST(ctl::undecided(all) == std::vector<std::string>(), boost::test_tools::per_element());
    // And nothing is decided that is not there.
    const auto is_there = [&](const std::string& column) { return std::find(all.begin(), all.end(), column) != all.end(); };
    for (const auto table : ctl::emptied_tables()) BOOST_TEST(tables.contains(std::string(table)), table);
    for (const auto& table : ctl::decided_tables()) {
        for (const auto& column : table.replaced)
            BOOST_TEST(is_there(std::string(table.table) + "." + std::string(column.name)), table.table << "." << column.name);
        for (const auto& column : words_of(table.kept))
            BOOST_TEST(is_there(std::string(table.table) + "." + std::string(column)), table.table << "." << column);
    }
}

BOOST_AUTO_TEST_CASE(a_column_without_a_decision_has_the_command_refuse) {
    test::TestDatabase database;
    database.migrate();
    db::Connection connection(database.config());
    connection.execute("ALTER TABLE users ADD COLUMN birthday DATE NULL");
    connection.execute(
        "INSERT INTO leases (name, holder, token, expires_at) VALUES ('work', 'host', REPEAT('x', 16), '2026-01-01')");
    const ctl::Pseudonyms pseudonyms("key");
    BOOST_CHECK_EXCEPTION(ctl::invent_names(connection, pseudonyms), ctl::Failure, [](const auto& failure) {
        return std::string(failure.what()).find("column users.birthday") != std::string::npos;
    });
    BOOST_TEST(connection.query("SELECT COUNT(*) FROM leases").at(0).integer(0) == 1);
}

BOOST_FIXTURE_TEST_CASE(nothing_that_is_replaced_is_left_anywhere, Fixture) {
    std::set<std::string> gone{"wilhelmina", "featherstone", "solo@example.com", "960011"};
    for (const auto& table : ctl::decided_tables())
        for (const auto& column : table.replaced) {
            const std::string name(column.name), of = std::string(table.table) + "." + name;
            if (name != "email" && name != "message" && name != "note" && name != "apply_email" && name != "secret" &&
                name != "url")
                continue;
            for (const auto& row :
                 connection.query("SELECT " + name + " FROM " + std::string(table.table) + " WHERE " + name + " IS NOT NULL"))
                if (row.text(0).size() > 10) gone.insert(core::lower_ascii(row.text(0)));
        }
    BOOST_TEST(gone.size() > 10u);
    const auto changed = ctl::invent_names(connection, pseudonyms);
    BOOST_TEST(changed.at("users") > 2u);
    BOOST_TEST(changed.at("enquiries") > 0u);
    for (const auto& [column, cell] : cells()) {
        const auto lower = core::lower_ascii(cell);
        for (const auto& each : gone) BOOST_TEST(lower.find(each) == std::string::npos, column << " has " << each);
    }
    for (const auto table : ctl::emptied_tables())
        if (table != "enquiry_search") BOOST_TEST(connection.query("SELECT 1 FROM " + std::string(table)).empty(), table);
    BOOST_TEST(connection.query("SELECT 1 FROM users WHERE password_hash IS NOT NULL").empty());
}

BOOST_FIXTURE_TEST_CASE(totals_and_words_stay_right, Fixture) {
    const auto enquiries = connection.query("SELECT COUNT(*) FROM enquiries").at(0).integer(0);
    for (const auto* table : resources::counted_tables()) counts::recount(connection, *table);
    ctl::invent_names(connection, pseudonyms);
    for (const auto* table : resources::counted_tables()) BOOST_TEST(counts::recount(connection, *table) == 0u, table->name());
    BOOST_TEST(connection.query("SELECT COUNT(*) FROM enquiry_search").at(0).integer(0) == enquiries);
    for (const auto& table : resources::words_tables()) {
        BOOST_TEST(search::words_complete(connection, table.name), table.name);
        const auto of =
            "SELECT * FROM " + std::string(table.name == "stock_items" ? "stock_search"
                                           : table.name == "enquiries"
                                               ? "enquiry_search"
                                               : std::string(table.name.substr(0, table.name.size() - 1)) + "_search");
        const auto sum = [&] {
            std::multiset<std::string> all;
            for (const auto& row : connection.query(of)) all.insert(row.text(0) + row.text(1));
            return all;
        };
        const auto before = sum();
        resources::write_all_words(connection, table);
        BOOST_TEST((sum() == before), table.name << ": other words than those of the rows");
    }
}

BOOST_FIXTURE_TEST_CASE(the_same_key_invents_the_same_names_and_one_person_stays_one, Fixture) {
    const auto names = [&](db::Connection& from) {
        std::vector<std::string> all;
        for (const auto* sql :
             {"SELECT CONCAT(COALESCE(email, ''), name) FROM users ORDER BY id",
              "SELECT CONCAT(name, COALESCE(email, ''), COALESCE(phone, ''), message) FROM enquiries ORDER BY id"})
            for (const auto& row : from.query(sql)) all.push_back(row.text(0));
        return all;
    };
    Fixture again, otherwise;
    otherwise.pseudonyms = ctl::Pseudonyms("another key");
    for (auto* each : {static_cast<Fixture*>(this), &again, &otherwise}) ctl::invent_names(each->connection, each->pseudonyms);
    BOOST_TEST(names(connection) == names(again.connection), boost::test_tools::per_element());
    BOOST_TEST((names(connection) != names(otherwise.connection)));
    const auto email = pseudonyms.email("solo@example.com");
    BOOST_TEST(identity::Users(connection).find_by_email(email).value().name == pseudonyms.name("Wilhelmina Featherstone"));
    BOOST_TEST(text("SELECT email FROM enquiries ORDER BY id LIMIT 1") == email);
    BOOST_TEST(text("SELECT name FROM enquiries ORDER BY id LIMIT 1") == pseudonyms.name("Wilhelmina Featherstone"));
    BOOST_TEST(text("SELECT MIN(apply_email) FROM jobs") == email);
    BOOST_TEST(text("SELECT MIN(description) FROM stock_items") ==
               "Ask " + email + ", or ring " + pseudonyms.phone("+44 1632 960011") + ".");
}

BOOST_FIXTURE_TEST_CASE(the_command_is_for_copies_and_keys_that_nobody_else_reads, test::CtlFixture) {
    const auto key = config + ".key";
    std::ofstream(key) << std::string(64, 'a') << "\n";
    std::filesystem::permissions(key, std::filesystem::perms::owner_read);
    fails(ctl({"pseudonyms", "--key-file", key}), 1, "is of no copy, as it has no [copy]");
    std::ofstream(config, std::ios::app) << "[copy]\nof = \"shop\"\non = \"2026-11-28\"\n";
    const std::shared_ptr<void> allowed(nullptr, [](void*) { core::outgoing_is_forbidden = false; });
    fails(ctl({"pseudonyms", "--key-file", config}), 1, "must have a key of at least 32 characters");
    std::filesystem::permissions(key, std::filesystem::perms::others_read, std::filesystem::perm_options::add);
    fails(ctl({"pseudonyms", "--key-file", key}), 1, "others may read it");
    std::filesystem::permissions(key, std::filesystem::perms::owner_read);
    const auto done = ctl({"pseudonyms", "--key-file", key});
    BOOST_TEST(done.code == 0, done.error);
    BOOST_TEST(done.out.find("Nobody has a password.") != std::string::npos);
    std::filesystem::remove(key);
}

BOOST_AUTO_TEST_SUITE_END()
