#define BOOST_TEST_DYN_LINK
#include "db/migrations.h"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <thread>

#include "db/lease.h"
#include "support/database.h"
#include "support/threads.h"

using namespace tradepost;

namespace {

struct Fixture {
    test::TestDatabase database;
    db::Connection connection{database.config()};
    std::filesystem::path directory;
    std::vector<std::string> applied;

    Fixture() {
        char pattern[] = "/tmp/tradepost-test-XXXXXX";
        directory = mkdtemp(pattern);
        file("001_a.sql", "-- the first; a comment\nCREATE TABLE IF NOT EXISTS a (id INT PRIMARY KEY);\n");
        file("002_b.sql", "CREATE TABLE IF NOT EXISTS b (id INT PRIMARY KEY)");
        file("README", "not a migration");
    }
    ~Fixture() { std::filesystem::remove_all(directory); }

    void file(const std::string& name, const std::string& content) {
        std::ofstream(directory / name, std::ios::binary) << content;
    }
    std::vector<db::Migration> read() { return db::read_migrations(directory); }
    void migrate() {
        db::migrate(connection, read(), [&](const std::string& name) { applied.push_back(name); });
    }
    std::string refusal() {
        try {
            migrate();
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "";
    }
    bool unreadable() {
        try {
            read();
        } catch (const std::runtime_error&) {
            return true;
        }
        return false;
    }
};

const std::vector<std::string> both{"001_a.sql", "002_b.sql"};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(migrations, Fixture)

BOOST_AUTO_TEST_CASE(reads_the_files_in_order) {
    const auto files = read();
    BOOST_TEST(files.size() == 2u);
    BOOST_TEST(files[1].number == 2);
    BOOST_TEST(files[0].name == "001_a.sql");
    BOOST_TEST(files[0].sql.ends_with("PRIMARY KEY)"));
    BOOST_TEST(files[1].checksum == "7f12cac19ecd5db5119ec49dbdb70a621de815cee8723e1947f7773d144e772a");
    BOOST_TEST(files[0].checksum != files[1].checksum);
}

BOOST_AUTO_TEST_CASE(refuses_gaps_doubles_and_names) {
    file("004_d.sql", "SELECT 1");
    BOOST_TEST(unreadable());
    file("003_c.sql", "SELECT 1");
    BOOST_TEST(!unreadable());
    file("003_other.sql", "SELECT 1");
    BOOST_TEST(unreadable());
    std::filesystem::remove(directory / "003_other.sql");
    for (const char* name : {"5_e.sql", "005-e.sql", "005_E.sql", "000_e.sql", "005_.sql", ".sql", "005_e.old.sql"}) {
        file(name, "SELECT 1");
        BOOST_TEST((unreadable() || std::string(name) == ".sql"), name);
        std::filesystem::remove(directory / name);
    }
    std::filesystem::remove(directory / "001_a.sql");
    BOOST_TEST(unreadable());
}

BOOST_AUTO_TEST_CASE(refuses_files_without_exactly_one_statement) {
    for (const char* content : {"", "-- nothing\n", "SELECT 1; SELECT 2", ";"}) {
        file("003_c.sql", content);
        BOOST_TEST(unreadable(), content);
    }
    std::filesystem::remove_all(directory);
    BOOST_TEST(unreadable());
    std::filesystem::create_directory(directory);
    BOOST_TEST(unreadable());
}

BOOST_AUTO_TEST_CASE(applies_what_is_pending_once) {
    BOOST_CHECK(db::schema_state(connection, read()).pending == both);
    migrate();
    BOOST_CHECK(applied == both);
    migrate();
    BOOST_CHECK(applied == both);
    const auto state = db::schema_state(connection, read());
    BOOST_TEST(state.current());
    BOOST_TEST(state.applied == 2);
    BOOST_TEST(state.known == 2);
    file("003_c.sql", "INSERT INTO a VALUES (1)");
    migrate();
    BOOST_TEST(applied.back() == "003_c.sql");
    BOOST_TEST(connection.query("SELECT id FROM a").size() == 1u);
    BOOST_TEST(
        connection
            .query(
                "SELECT 1 FROM schema_migrations WHERE applied_at BETWEEN UTC_TIMESTAMP() - INTERVAL 1 HOUR AND UTC_TIMESTAMP(3)")
            .size() == 3u);
}

BOOST_AUTO_TEST_CASE(goes_on_after_a_step_that_failed) {
    file("003_c.sql", "ALTER TABLE nowhere ADD COLUMN x INT");
    file("004_d.sql", "CREATE TABLE IF NOT EXISTS d (id INT PRIMARY KEY)");
    BOOST_TEST(refusal().find("nowhere") != std::string::npos);
    BOOST_CHECK(applied == both);
    BOOST_TEST(db::schema_state(connection, read()).applied == 2);
    file("003_c.sql", "CREATE TABLE IF NOT EXISTS c (id INT PRIMARY KEY)");
    BOOST_TEST(refusal() == "");
    BOOST_TEST(applied.size() == 4u);
}

// 041 is such a step: an index in place of another one of its name, and new ones.
BOOST_AUTO_TEST_CASE(a_step_that_adds_columns_or_indexes_is_repeated) {
    file("003_c.sql", "ALTER TABLE a ADD COLUMN x INT");
    file("004_d.sql", "ALTER TABLE a ADD INDEX a_x (x)");
    file("005_e.sql", "ALTER TABLE a DROP INDEX a_x, ADD INDEX a_x (x, id), ADD INDEX a_id (id, x)");
    for (int times = 0; times < 2; ++times) {
        migrate();
        BOOST_TEST(connection.query("SHOW INDEX FROM a").size() == 5u);
        connection.execute("DELETE FROM schema_migrations WHERE number > 2");
    }
}

BOOST_AUTO_TEST_CASE(a_step_done_but_not_recorded_is_repeated) {
    migrate();
    connection.execute("DELETE FROM schema_migrations WHERE number = 2");
    BOOST_TEST(db::schema_state(connection, read()).pending.size() == 1u);
    migrate();
    BOOST_TEST(db::schema_state(connection, read()).current());
}

BOOST_AUTO_TEST_CASE(refuses_changed_files) {
    migrate();
    file("001_a.sql", "CREATE TABLE IF NOT EXISTS a (id BIGINT PRIMARY KEY)");
    file("003_c.sql", "CREATE TABLE c (id INT)");
    BOOST_CHECK(db::schema_state(connection, read()).changed == std::vector<std::string>{"001_a.sql"});
    BOOST_TEST(refusal().find("001_a.sql") != std::string::npos);
    BOOST_TEST(db::schema_state(connection, read()).applied == 2);
}

BOOST_AUTO_TEST_CASE(refuses_a_schema_that_is_newer) {
    migrate();
    std::filesystem::remove(directory / "002_b.sql");
    BOOST_TEST(!db::schema_state(connection, read()).current());
    BOOST_TEST(refusal().find("newer") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(several_at_once_all_succeed) {
    const auto files = db::read_migrations("sql");
    std::vector<std::string> failures(4);
    std::vector<test::Thread> threads;
    for (auto& failure : failures) {
        threads.emplace_back([&] {
            try {
                db::Connection own(database.config(), std::chrono::seconds(60));
                db::migrate(own, files, {});
            } catch (const std::exception& error) {
                failure = error.what();
            }
        });
    }
    for (auto& thread : threads) thread.join();
    for (const auto& failure : failures) BOOST_TEST(failure == "");
    BOOST_TEST(db::schema_state(connection, files).current());
}

// By its lease, which exists once the project's own migrations have created its table.
BOOST_AUTO_TEST_CASE(one_process_migrates_while_others_wait) {
    const auto files = db::read_migrations("sql");
    std::atomic<int> steps{0}, waiting{0};
    const auto migrate_alone = [&] {
        db::migrate_alone(
            database.config(), files, [&](const std::string&) { ++steps; }, [&](const std::string&) { ++waiting; });
    };
    migrate_alone();
    BOOST_TEST(steps == int(files.size()));
    migrate_alone();
    BOOST_TEST(steps == int(files.size()));
    steps = 0;
    connection.execute("DELETE FROM schema_migrations WHERE number > 80");
    {
        std::vector<test::Thread> threads;
        const auto lease = db::KeptLease::take(database.config(), "migrate", [] {});
        BOOST_REQUIRE(lease);
        for (int i = 0; i < 2; ++i) threads.emplace_back(migrate_alone);
        while (waiting < 2 && std::ranges::none_of(threads, &test::Thread::ended)) std::this_thread::yield();
        BOOST_TEST(db::schema_state(connection, files).applied == 80);
    }
    BOOST_TEST(steps == int(files.size()) - 80);
    BOOST_TEST(waiting == 2);
    BOOST_TEST(db::schema_state(connection, files).current());
}

BOOST_AUTO_TEST_CASE(the_projects_own_files_can_be_repeated) {
    database.migrate();
    connection.execute("DELETE FROM schema_migrations");
    database.migrate();
    BOOST_TEST(db::schema_state(connection, db::read_migrations("sql")).current());
}

BOOST_AUTO_TEST_SUITE_END()
