// Who is told of commits hears of each that changed something, around it, and of nothing else.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "support/database.h"
#include "support/database_proxy.h"

using namespace std::chrono_literals;
using namespace tradepost;

namespace {

struct Recorder final : db::CommitObserver {
    explicit Recorder(test::TestDatabase& database) : looking(database.config()) {}
    void committing(const std::vector<std::string>& changed) noexcept override { note("committing", changed); }
    void committed(const std::vector<std::string>& changed, db::Outcome outcome) noexcept override {
        note(outcome == db::Outcome::known ? "committed" : "unknown", changed);
    }
    void note(const char* what, const std::vector<std::string>& changed) noexcept {
        heard += what;
        for (const auto& name : changed) heard += " " + name;
        heard += " " + looking.query("SELECT COUNT(*) FROM t").at(0).text(0) + "; ";
    }
    std::string take() { return std::exchange(heard, {}); }

    db::Connection looking;
    std::string heard;
};

struct Fixture {
    test::TestDatabase database;
    Recorder recorder{database};
    db::Connection connection{database.config(), {}, &recorder};

    Fixture() { connection.execute("CREATE TABLE t (id INT PRIMARY KEY) ENGINE=InnoDB"); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(db_observer, Fixture)

BOOST_AUTO_TEST_CASE(hears_before_and_after_each_name_once) {
    db::in_transaction(connection, [&] {
        connection.note_change("b");
        connection.execute("INSERT INTO t VALUES (1)");
        connection.note_change("a");
        connection.note_change("b");
        BOOST_TEST(recorder.heard == "");
    });
    BOOST_TEST(recorder.take() == "committing b a 0; committed b a 1; ");
    db::in_transaction(connection, [&] { connection.execute("INSERT INTO t VALUES (2)"); });
    BOOST_TEST(recorder.heard == "");
}

BOOST_AUTO_TEST_CASE(a_rollback_forgets) {
    {
        db::Transaction transaction(connection);
        connection.note_change("a");
    }
    db::in_transaction(connection, [&] { connection.note_change("b"); });
    BOOST_TEST(recorder.take() == "committing b 0; committed b 0; ");
    int runs = 0;
    db::in_transaction(connection, [&] {
        connection.note_change(++runs == 1 ? "first" : "second");
        if (runs == 1) connection.execute("SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'made up'");
    });
    BOOST_TEST(recorder.take() == "committing second 0; committed second 0; ");
}

BOOST_AUTO_TEST_CASE(a_lost_answer_is_unknown) {
    test::DatabaseProxy proxy(database.config());
    db::Connection proxied(proxy.config(), {}, &recorder);
    BOOST_CHECK_THROW(db::in_transaction(proxied,
                                         [&] {
                                             proxied.execute("INSERT INTO t VALUES (1)");
                                             proxied.note_change("a");
                                             proxy.swallow_next_answer();
                                         }),
                      db::Unavailable);
    BOOST_TEST(recorder.take() == "committing a 0; unknown a 1; ");
}

BOOST_AUTO_TEST_CASE(a_commit_that_is_not_sent_is_none) {
    {
        db::Transaction transaction(connection);
        connection.note_change("a");
        database.kill(connection);
        BOOST_CHECK_THROW(connection.query("SELECT 1"), db::Unavailable);
        BOOST_CHECK_THROW(transaction.commit(), db::Unavailable);
    }
    BOOST_TEST(recorder.heard == "");
}

// Work that waits for a commit, such as a line of the log.
BOOST_AUTO_TEST_CASE(work_after_the_commit) {
    std::string ran;
    const auto note = [&](const char* what) { connection.after_commit([&ran, what] { ran += what; }); };
    note("at once ");
    BOOST_TEST(ran == "at once ");
    db::in_transaction(connection, [&] {
        note("first ");
        note("second ");
        BOOST_TEST(ran == "at once ");
    });
    BOOST_TEST(std::exchange(ran, {}) == "at once first second ");
    {
        db::Transaction transaction(connection);
        note("never ");
    }
    int runs = 0;
    db::in_transaction(connection, [&] {
        note(++runs == 1 ? "never " : "again ");
        if (runs == 1) connection.execute("SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'made up'");
    });
    BOOST_TEST(ran == "again ");
}

BOOST_AUTO_TEST_CASE(work_after_a_commit_without_an_answer) {
    test::DatabaseProxy proxy(database.config());
    db::Connection proxied(proxy.config());
    bool ran = false;
    BOOST_CHECK_THROW(db::in_transaction(proxied,
                                         [&] {
                                             proxied.execute("INSERT INTO t VALUES (1)");
                                             proxied.after_commit([&] { ran = true; });
                                             proxy.swallow_next_answer();
                                         }),
                      db::Unavailable);
    BOOST_TEST(ran);
}

BOOST_AUTO_TEST_SUITE_END()
