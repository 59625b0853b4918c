// The connections that the processes of an instance share: places, waiting for one, idle sessions.
#define BOOST_TEST_DYN_LINK
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <list>
#include <optional>
#include <thread>

#include "core/byte_locks.h"
#include "db/connection_limit.h"
#include "support/database.h"
#include "support/database_proxy.h"
#include "support/threads.h"
#include "unit/limits_support.h"

using namespace tradepost;
using namespace std::chrono_literals;
using limits::test::in_child;

namespace {

struct Fixture {
    // Not counted: it was there before the limit.
    test::TestDatabase database;
    db::Connection uncounted{database.config()};
    limits::test::TemporaryFolder folder;
    core::Config config;
    std::optional<db::ConnectionLimit> limit;
    std::list<core::FileDescriptor> others;

    Fixture() {
        config.database = database.config();
        config.database.max_connections = 7;
        config.database.idle = 1h;
        config.rate_limits.file = folder / "limits";
    }
    void begin(db::Pool pool = db::Pool::api) { limit.emplace(config, pool); }

    // Other processes have these places.
    void occupy(int first, int count) {
        for (int i = 0; i < count; ++i) {
            std::string why;
            others.push_back(core::open_lock_file(config.connections_path(), why));
            BOOST_REQUIRE(core::lock_byte(others.back().get(), first + i) == core::ByteLock::ours);
        }
    }
    static constexpr int of_auth = 0, of_uploads = 1, of_background = 2, of_api = 3, shared = 6, all = 7;

    std::int64_t sessions() {
        return uncounted
            .query("SELECT COUNT(*) FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()")
            .at(0)
            .integer(0);
    }
    // A server lists a session for a moment after its client has closed it.
    void await_sessions(std::int64_t least, std::int64_t most) {
        const auto end = std::chrono::steady_clock::now() + 30s;
        const auto is_right = [&] { return sessions() >= least && sessions() <= most; };
        while (!is_right() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
        BOOST_TEST(sessions() >= least);
        BOOST_TEST(sessions() <= most);
    }
    void await_sessions(std::int64_t count) { await_sessions(count, count); }
    static std::string refusal(db::Connection& connection) {
        try {
            connection.query("SELECT 1");
        } catch (const db::Unavailable& error) {
            return error.what();
        }
        return "";
    }

    // A process that does `work` with a connection, says so and lives on; ends with this object.
    struct Process {
        template <class Work>
        Process(const core::Config& config, db::Pool pool, Work work) {
            int ends[2];
            BOOST_REQUIRE(pipe(ends) == 0);
            id = in_child([&] {
                const db::ConnectionLimit its(config, pool);
                db::Connection connection(config.database);
                work(connection, [&] {
                    if (write(ends[1], "x", 1) == 1) pause();
                });
                return 0;
            });
            close(ends[1]);
            char byte;
            BOOST_REQUIRE(read(ends[0], &byte, 1) == 1);
            close(ends[0]);
        }
        void end() {
            if (id) kill(id, SIGKILL), limits::test::exit_code(id);
            id = 0;
        }
        ~Process() { end(); }
        pid_t id = 0;
    };
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(db_connection_limit, Fixture)

BOOST_AUTO_TEST_CASE(a_session_serves_the_connections_of_a_process_in_turns) {
    begin();
    db::Connection one(config.database), another(config.database), with_other_timeout(config.database, 3s);
    const auto session = test::session_of(one);
    BOOST_TEST(test::session_of(one) == session);
    BOOST_TEST(test::session_of(another) == session);
    {
        const db::Transaction transaction(one);
        BOOST_TEST(test::session_of(one) == session);
        BOOST_TEST(test::session_of(another) != session);
    }
    BOOST_TEST(test::session_of(with_other_timeout) != session);
    BOOST_TEST(sessions() == 3);
    limit.reset();
    await_sessions(0);
}

BOOST_AUTO_TEST_CASE(what_is_set_for_a_session_stays_with_who_holds_it) {
    begin();
    db::Connection one(config.database), another(config.database);
    {
        const db::Held held(one);
        one.execute("SET foreign_key_checks = 0");
        BOOST_TEST(one.query("SELECT @@foreign_key_checks").at(0).integer(0) == 0);
        BOOST_TEST(another.query("SELECT @@foreign_key_checks").at(0).integer(0) == 1);
        one.execute("SET foreign_key_checks = 1");
    }
    one.execute("CREATE TABLE t (id INT PRIMARY KEY)");
    const db::Transaction snapshot(one, db::Reads::as_of_the_first);
    BOOST_TEST(one.query("SELECT * FROM t").empty());
    another.execute("INSERT INTO t VALUES (1)");
    BOOST_TEST(one.query("SELECT * FROM t").empty());
}

BOOST_AUTO_TEST_CASE(without_a_place_a_statement_fails) {
    config.database.connect_timeout = 1s;
    begin();
    occupy(of_api, all - of_api);
    db::Connection connection(config.database);
    BOOST_TEST(refusal(connection) ==
               "all 7 connections of the instance are used: raise database.max_connections (1203): connect");
    BOOST_TEST(connection.errors().unavailable == 1u);
    BOOST_TEST(sessions() == 0);
    others.pop_front();
    BOOST_TEST(refusal(connection) == "");
    BOOST_TEST(sessions() == 1);
}

BOOST_AUTO_TEST_CASE(who_cannot_connect_keeps_no_place) {
    begin();
    config.database.socket = folder / "none";
    db::Connection connection(config.database);
    BOOST_TEST(refusal(connection) != "");
    std::string why;
    const auto file = core::open_lock_file(config.connections_path(), why);
    BOOST_TEST(!core::others_lock(file.get(), 0, all));
}

BOOST_AUTO_TEST_CASE(one_that_waits_gets_a_place_that_becomes_free) {
    begin(db::Pool::background);  // waits for long
    occupy(of_background, 1);
    occupy(shared, 1);
    std::atomic<bool> over = false;
    test::Thread freed(
        [&] {
            std::string why;
            const auto file = core::open_lock_file(config.connections_path(), why);
            while (!over && !core::others_lock(file.get(), 1 << 20, 4)) std::this_thread::yield();
            others.clear();
        },
        [&] { over = true; });
    db::Connection connection(config.database);
    BOOST_TEST(refusal(connection) == "");
    freed.join();
}

BOOST_AUTO_TEST_CASE(no_pool_takes_the_last_place_of_another) {
    for (const auto& [pool, place] :
         {std::pair(db::Pool::auth, of_auth), {db::Pool::uploads, of_uploads}, {db::Pool::background, of_background}}) {
        for (int i = 0; i < all; ++i)
            if (i != place) occupy(i, 1);
        begin(pool);
        db::Connection connection(config.database);
        BOOST_TEST(refusal(connection) == "");
        limit.reset();
        others.clear();
    }
    // The API pool has the half.
    config.database.connect_timeout = 1s;
    occupy(of_auth, of_api);
    occupy(shared, 1);
    begin();
    std::list<db::Connection> connections;
    std::list<db::Transaction> open;
    for (int i = 0; i < 3; ++i) open.emplace_back(connections.emplace_back(config.database));
    BOOST_TEST(refusal(connections.emplace_back(config.database)) != "");
}

BOOST_AUTO_TEST_CASE(an_idle_process_gives_its_session_to_one_that_waits) {
    config.database.max_connections = 5;  // two of the API pool, none for all
    const auto idles = [](db::Connection& connection, const auto& wait) {
        connection.query("SELECT 1");
        wait();
    };
    const Process first(config, db::Pool::api, idles), second(config, db::Pool::api, idles);
    BOOST_TEST(sessions() == 2);
    begin();
    db::Connection connection(config.database);
    BOOST_TEST(refusal(connection) == "");
    // On a busy machine both may give theirs.
    await_sessions(1, 2);
}

BOOST_AUTO_TEST_CASE(a_killed_process_leaves_its_place) {
    config.database.max_connections = 5;
    const auto works = [](db::Connection& connection, const auto& wait) {
        const db::Transaction transaction(connection);
        wait();
    };
    Process first(config, db::Pool::api, works);
    const Process second(config, db::Pool::api, works);
    begin();
    db::Connection connection(config.database);
    BOOST_TEST(refusal(connection) != "");
    first.end();
    BOOST_TEST(refusal(connection) == "");
}

BOOST_AUTO_TEST_CASE(a_session_of_other_timeouts_makes_room) {
    occupy(of_api, 2);
    occupy(shared, 1);
    begin();
    db::Connection one(config.database), with_other_timeout(config.database, 3s);
    for (int i = 0; i < 3; ++i) {
        BOOST_TEST(refusal(one) == "");
        BOOST_TEST(refusal(with_other_timeout) == "");
    }
    await_sessions(1);
}

BOOST_AUTO_TEST_CASE(an_idle_session_is_closed) {
    config.database.idle = 0s;
    begin();
    db::Connection connection(config.database);
    const auto session = test::session_of(connection);
    await_sessions(0);
    BOOST_TEST(test::session_of(connection) != session);
}

BOOST_AUTO_TEST_CASE(threads_share_the_places_of_their_process) {
    config.database.max_connections = 5;  // one is tradepost-deliver's
    begin(db::Pool::background);
    std::atomic<int> done{0};
    std::list<test::Thread> threads;
    for (int i = 0; i < 16; ++i)
        threads.emplace_back([&] {
            db::Connection connection(config.database);
            for (int n = 0; n < 20; ++n) {
                const db::Transaction transaction(connection);
                if (connection.query("SELECT COUNT(*) FROM information_schema.processlist WHERE db = DATABASE()")
                        .at(0)
                        .integer(0) <= 2)
                    ++done;  // with the one of the fixture
            }
        });
    for (auto& thread : threads) thread.join();
    BOOST_TEST(done == 16 * 20);
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_used_limits_nothing) {
    config.rate_limits.file = folder / "none/limits";
    const limits::test::CapturedLog log;
    begin();
    std::list<db::Connection> connections;
    std::list<db::Transaction> open;
    for (int i = 0; i < 9; ++i) open.emplace_back(connections.emplace_back(config.database));
    BOOST_TEST(log.lines_with("event=connections_not_counted") == 1);
}

BOOST_AUTO_TEST_CASE(a_server_without_free_connections_is_tried_again) {
    uncounted.query("SELECT 1");
    test::DatabaseProxy full(database.config());
    full.refuse_next(3);
    db::Connection connection(full.config());
    BOOST_TEST(refusal(connection) == "");
    BOOST_TEST(full.accepted() == 4);
    connection.close();
    full.refuse_next(1 << 20);
    config.database = full.config();
    config.database.connect_timeout = 1s;
    begin();
    db::Connection counted(config.database);
    BOOST_TEST(refusal(counted).starts_with("Too many connections (1040)"));
}

BOOST_AUTO_TEST_SUITE_END()
