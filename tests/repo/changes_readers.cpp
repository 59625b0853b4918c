// Who follows the change log, and what is removed from it.
#include "repo/changes_support.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

struct Fixture : test::ChangesFixture {
    void add_numbered(int count, std::string_view collection = "jobs") {
        add(count, collection);
        while (changes::number(connection)) continue;
    }
    std::uint64_t prune(core::milliseconds later = 0ms) { return changes::prune(connection, now + later); }
    static constexpr core::milliseconds much_later = std::chrono::days(6);
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(changes_readers, Fixture)

BOOST_AUTO_TEST_CASE(what_all_readers_have_taken_is_removed) {
    add_numbered(1200);
    changes::set_reader(connection, "one", "", 1100);
    changes::set_reader(connection, "two", "jobs", 1005);
    BOOST_TEST(prune() == 1004u);
    BOOST_TEST(first_position() == 1005);  // where the reader is
    BOOST_TEST(prune(much_later) == 0u);
    changes::set_reader(connection, "two", "jobs", 1200);
    BOOST_TEST(prune() == 95u);
    BOOST_TEST(first_position() == 1100);
    changes::remove_reader(connection, "one");
    changes::remove_reader(connection, "nobody");
    BOOST_TEST(prune() == 100u);
    BOOST_TEST(first_position() == 1200);  // the newest
    BOOST_TEST(prune(much_later) == 0u);
    BOOST_TEST(changes::last_position(connection) == 1200);
}

BOOST_AUTO_TEST_CASE(the_newest_stays_whatever_readers_say) {
    add_numbered(10);
    changes::set_reader(connection, "one", "", 5000);
    BOOST_TEST(prune() == 9u);
    BOOST_TEST(first_position() == 10);
    add_numbered(1);
    BOOST_TEST(changes::last_position(connection) == 11);
}

BOOST_AUTO_TEST_CASE(a_new_reader_keeps_everything) {
    add_numbered(10);
    changes::set_reader(connection, "one", "", 0);
    BOOST_TEST(prune(much_later) == 0u);
    BOOST_TEST((read_ids() == ids));
}

// Nobody has numbered them either.
BOOST_AUTO_TEST_CASE(without_a_reader_changes_are_kept_for_days) {
    add(1010);
    BOOST_TEST(prune(changes::changes_are_kept - 1min) == 0u);
    connection.execute("UPDATE changes SET changed_at = changed_at - INTERVAL 1 DAY WHERE position <= 700");
    BOOST_TEST(prune(changes::changes_are_kept - 1min) == 700u);
    BOOST_TEST(prune(much_later) == 309u);
    BOOST_TEST(first_position() == 1010);
}

// A change that was recorded early and numbered late does not go before those in front of it.
BOOST_AUTO_TEST_CASE(the_log_has_no_gaps) {
    add_numbered(10);
    connection.execute("UPDATE changes SET changed_at = changed_at - INTERVAL 5 DAY WHERE position IN (1, 2, 5)");
    BOOST_TEST(prune() == 2u);
    BOOST_TEST(count("changes") == 8);
}

BOOST_AUTO_TEST_CASE(who_was_gone_for_too_long_is_told) {
    add_numbered(10, "posts");
    changes::set_reader(connection, "one", "jobs", 4);
    connection.execute("UPDATE change_readers SET seen_at = seen_at - INTERVAL 7 DAY + INTERVAL 1 MINUTE");
    BOOST_TEST(prune() == 3u);
    BOOST_TEST(read_ids(4).size() == 6u);
    connection.execute("UPDATE change_readers SET seen_at = seen_at - INTERVAL 2 MINUTE");
    connection.execute("UPDATE changes SET changed_at = changed_at - INTERVAL 4 DAY WHERE position <= 6");
    BOOST_TEST(prune() == 3u);
    for (const auto* collection : {"", "jobs", "posts"}) {
        BOOST_CHECK_THROW(changes::read(connection, collection, 5, 10), changes::LogTruncated);
        BOOST_CHECK_THROW(changes::read(connection, collection, 0, 10), changes::LogTruncated);
        BOOST_CHECK_NO_THROW(changes::read(connection, collection, 6, 10));
    }
    BOOST_TEST(read_ids(6).size() == 4u);
    BOOST_TEST(!changes::find(connection, 4));
}

BOOST_AUTO_TEST_CASE(a_backlog_counts_what_a_reader_has_not_taken) {
    const auto waiting = [&](std::string_view reader) { return changes::backlog(connection, reader).waiting; };
    BOOST_TEST(waiting("nobody") == 0);
    BOOST_TEST((changes::backlog(connection, "nobody").lag == 0ms));
    add_numbered(10);
    add_numbered(5, "posts");
    add(3, "posts");
    changes::set_reader(connection, "all", "", 4);
    changes::set_reader(connection, "jobs", "jobs", 4);
    changes::set_reader(connection, "posts", "posts", 12);
    BOOST_TEST(waiting("nobody") == 18);
    BOOST_TEST(waiting("all") == 14);
    BOOST_TEST(waiting("jobs") == 6);
    BOOST_TEST(waiting("posts") == 6);
    changes::set_reader(connection, "jobs", "jobs", 15);
    BOOST_TEST(waiting("jobs") == 0);
    BOOST_TEST((changes::backlog(connection, "jobs").lag == 0ms));
}

BOOST_AUTO_TEST_CASE(the_lag_is_the_age_of_the_oldest) {
    const auto between = [&](std::chrono::milliseconds least) {
        const auto lag = changes::backlog(connection, "one").lag;
        return lag >= least && lag < least + 50min;
    };
    add_numbered(10);
    add(1);
    changes::set_reader(connection, "one", "", 4);
    connection.execute("UPDATE changes SET changed_at = changed_at - INTERVAL 9 HOUR WHERE position = 4");
    connection.execute("UPDATE changes SET changed_at = changed_at - INTERVAL 1 HOUR WHERE position = 5");
    BOOST_TEST(between(1h));
    connection.execute("UPDATE changes SET changed_at = changed_at - INTERVAL 2 HOUR WHERE position IS NULL");
    BOOST_TEST(between(2h));
    connection.execute("UPDATE changes SET changed_at = changed_at + INTERVAL 3 HOUR");
    BOOST_TEST((changes::backlog(connection, "one").lag == 0ms));
}

BOOST_AUTO_TEST_CASE(a_backlog_is_counted_up_to_a_limit) {
    add(10);
    for (int i = 0; i < 14; ++i)
        connection.execute(
            "INSERT INTO changes (collection, row_id, kind, changed_at) SELECT collection, row_id, kind, changed_at FROM "
            "changes");
    BOOST_TEST(count("changes") == 163840);
    changes::number(connection);
    const auto rows = test::rows_read(connection, [&] { BOOST_TEST(changes::backlog(connection, "one").waiting == 100'000); });
    BOOST_TEST(rows < 250'000u);
}

BOOST_AUTO_TEST_SUITE_END()
