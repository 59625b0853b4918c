// The change log: positions are given in the order in which changes can be seen.
#include "repo/changes_support.h"

using namespace tradepost;
using namespace std::chrono_literals;
using changes::Kind;

BOOST_FIXTURE_TEST_SUITE(changes_log, test::ChangesFixture)

BOOST_AUTO_TEST_CASE(a_change_is_read_as_it_was_recorded) {
    const auto job = core::Uuid::v7(now), post = core::Uuid::v7(now), organisation = core::Uuid::v7(now);
    const changes::Changed both[] = {{"jobs", job, organisation, Kind::written}, {"posts", post, {}, Kind::removed}};
    changes::record(connection, both);
    BOOST_TEST(changes::read(connection, "", 0, 10).empty());
    BOOST_TEST(changes::last_position(connection) == 0);
    BOOST_TEST(!changes::find(connection, 1));
    BOOST_TEST(changes::number(connection) == 2u);
    BOOST_TEST(changes::number(connection) == 0u);
    const auto found = changes::read(connection, "", 0, 10);
    BOOST_TEST_REQUIRE(found.size() == 2u);
    const auto at = found[0].changed_at;
    BOOST_TEST((at > now - 1min && at < now + 1min));
    BOOST_TEST((found[0] == changes::Change{1, "jobs", job, organisation, Kind::written, at}));
    BOOST_TEST((found[1] == changes::Change{2, "posts", post, {}, Kind::removed, at}));
    BOOST_TEST((changes::find(connection, 2) == found[1]));
    BOOST_TEST(!changes::find(connection, 3));
    BOOST_TEST(changes::last_position(connection) == 2);
}

BOOST_AUTO_TEST_CASE(pages_and_collections) {
    for (const auto* collection : {"jobs", "posts", "jobs", "stock", "jobs"}) record(connection, collection);
    changes::number(connection);
    const std::vector of_jobs{ids[0], ids[2], ids[4]};
    BOOST_TEST((read_ids() == ids));
    BOOST_TEST((read_ids(0, "jobs") == of_jobs));
    BOOST_TEST((read_ids(1, "jobs", 1) == std::vector{ids[2]}));
    BOOST_TEST((read_ids(3, "", 1) == std::vector{ids[3]}));
    BOOST_TEST(read_ids(5).empty());
    BOOST_TEST(read_ids(0, "enquiries").empty());
}

// The first has the lower id and commits after the second was read.
BOOST_AUTO_TEST_CASE(who_commits_late_is_read_later) {
    db::Transaction late(other);
    record(other);
    record(connection);
    BOOST_TEST(changes::number(connection) == 1u);
    BOOST_TEST((read_ids() == std::vector{ids[1]}));
    late.commit();
    BOOST_TEST(changes::number(connection) == 1u);
    BOOST_TEST((read_ids(1) == std::vector{ids[0]}));
    BOOST_TEST(count("changes a JOIN changes b ON a.id < b.id AND a.position > b.position") == 1);
}

BOOST_AUTO_TEST_CASE(what_is_rolled_back_is_never_read) {
    {
        db::Transaction transaction(other);
        record(other);
        record(connection);
        BOOST_TEST(changes::number(connection) == 1u);
    }
    BOOST_TEST(changes::number(connection) == 0u);
    BOOST_TEST((read_ids() == std::vector{ids[1]}));
}

BOOST_AUTO_TEST_CASE(nobody_waits_for_who_numbers) {
    add(3);
    changes::number(connection);
    add(2);
    db::Transaction numbering(other);
    other.query("SELECT last FROM change_positions FOR UPDATE");
    other.execute("UPDATE changes SET position = 4 WHERE position IS NULL ORDER BY id LIMIT 1");
    connection.execute("SET SESSION innodb_lock_wait_timeout = 1");
    BOOST_TEST(changes::number(connection) == 0u);
    BOOST_TEST(changes::last_position(connection) == 3);
    BOOST_TEST(read_ids().size() == 3u);
    add(1);  // a writer
    BOOST_TEST(connection.errors().conflict == 0u);
}

// Whoever numbers is lost before the commit.
BOOST_AUTO_TEST_CASE(who_dies_while_numbering_leaves_it_to_others) {
    add(1);
    changes::number(connection);
    add(2);
    {
        db::Transaction numbering(other);
        other.execute("UPDATE change_positions SET last = 3");
        other.execute("UPDATE changes SET position = id + 100 WHERE position IS NULL");
        BOOST_TEST(changes::number(connection) == 0u);
        database.kill(other);
    }
    BOOST_TEST(changes::number(connection) == 2u);
    BOOST_TEST(changes::last_position(connection) == 3);
    BOOST_TEST((read_ids() == ids));
}

BOOST_AUTO_TEST_CASE(many_are_numbered_in_parts) {
    add(2 * changes::numbered_at_once + 7);
    BOOST_TEST(test::rows_read(connection, [&] { BOOST_TEST(changes::number(connection) == 1000u); }) < 3100u);
    BOOST_TEST(changes::last_position(connection) == 1000);
    BOOST_TEST(changes::number(connection) == 1000u);
    BOOST_TEST(changes::number(connection) == 7u);
    BOOST_TEST(changes::number(connection) == 0u);
    BOOST_TEST((read_ids() == ids));
    BOOST_TEST(changes::last_position(connection) == 2007);
}

BOOST_AUTO_TEST_CASE(an_idle_poll_and_a_page_read_few_rows) {
    add(3000);
    while (changes::number(connection)) continue;
    add(2000, "posts");
    while (changes::number(connection)) continue;
    BOOST_TEST(test::rows_read(connection, [&] { changes::number(connection); }) <= 2u);
    for (const auto* collection : {"", "jobs", "posts"})
        BOOST_TEST(test::rows_read(connection, [&] { changes::read(connection, collection, 2500, 10); }) <= 40u, collection);
    BOOST_TEST(test::rows_read(connection, [&] { changes::read(connection, "enquiries", 0, 10); }) <= 10u);
}

BOOST_AUTO_TEST_SUITE_END()
