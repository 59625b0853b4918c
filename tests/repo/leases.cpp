// Leases: one holder at a time, what becomes of the lease of a process that has ended, and renewing during long work.
#define BOOST_TEST_DYN_LINK
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <optional>

#include "db/lease.h"
#include "repo/ctl_support.h"
#include "support/threads.h"
#include "unit/limits_support.h"

using namespace tradepost;
using namespace std::chrono_literals;
using limits::test::exit_code;
using limits::test::in_child;

namespace {

struct Fixture : test::CtlFixture {
    pid_t child = 0;

    ~Fixture() { end_child(); }

    // Another process takes the lease, and keeps it until it is killed.
    void take_in_child() {
        child = in_child([this] {
            db::Connection own(database.config());
            const auto lease = db::Lease::take(own, "work", 1h);
            for (;;) pause();
            return 0;
        });
        await([&] { return count("leases WHERE name = 'work' AND expires_at > UTC_TIMESTAMP(3)") == 1; });
    }
    // When this returns there is no such process, not even a zombie.
    void end_child() {
        if (child == 0) return;
        kill(child, SIGKILL);
        exit_code(child);
        child = 0;
    }
    template <class Condition>
    static void await(Condition condition) {
        const auto end = std::chrono::steady_clock::now() + 30s;
        while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(10ms);
        BOOST_TEST(condition());
    }
    std::optional<db::Lease> take(std::string* holder = nullptr) { return db::Lease::take(connection, "work", 1h, holder); }
    std::string this_host() {
        char host[65] = "";
        gethostname(host, sizeof host - 1);
        return host;
    }
    // As another process would after the lease's end.
    void give_to_another(const std::string& name) {
        connection.execute(
            "UPDATE leases SET token = REPEAT('x', 16), holder = 'other, process 1', expires_at = "
            "UTC_TIMESTAMP(3) + INTERVAL 1 HOUR WHERE name = ?",
            {name});
    }
    bool is_held(const std::string& name) {
        return !connection.query("SELECT 1 FROM leases WHERE name = ? AND expires_at > UTC_TIMESTAMP(3)", {name}).empty();
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(leases, Fixture)

BOOST_AUTO_TEST_CASE(a_live_holder_keeps_others_away) {
    take_in_child();
    std::string holder;
    BOOST_TEST(!take(&holder));
    BOOST_TEST(holder == this_host() + ", process " + std::to_string(child));
    // A process that stands still is alive.
    kill(child, SIGSTOP);
    BOOST_TEST(!take());
}

BOOST_AUTO_TEST_CASE(the_lease_of_a_process_that_was_killed_is_free_at_once) {
    take_in_child();
    end_child();
    auto lease = take();
    BOOST_REQUIRE(lease);
    BOOST_TEST(lease->renew());
    BOOST_TEST(!take());
}

BOOST_AUTO_TEST_CASE(a_process_that_has_the_same_id_later_is_another_one) {
    take_in_child();
    connection.execute("UPDATE leases SET token = CONCAT(SUBSTR(token, 1, 8), 'abcd', SUBSTR(token, 13))");
    BOOST_TEST(take().has_value());
}

// Bytes of a previous version's token say nothing; of another host or container it is not known what runs there.
BOOST_AUTO_TEST_CASE(the_lease_of_another_host_lasts_until_its_end) {
    take_in_child();
    connection.execute("UPDATE leases SET token = CONCAT('abcd', SUBSTR(token, 5))");
    end_child();
    BOOST_TEST(!take());
    connection.execute("UPDATE leases SET token = CONCAT(REPEAT('\\0', 4), SUBSTR(token, 5))");
    BOOST_TEST(!take());
    connection.execute("UPDATE leases SET expires_at = UTC_TIMESTAMP(3)");
    BOOST_TEST(take().has_value());
}

BOOST_AUTO_TEST_CASE(only_one_of_several_takes_the_lease_of_a_dead_process) {
    take_in_child();
    end_child();
    db::Connection watcher(database.config());
    std::vector<std::unique_ptr<db::Connection>> connections;
    std::vector<std::optional<db::Lease>> taken(2);
    {
        std::vector<test::Thread> threads;
        // All have seen that the process is dead before one of them takes the lease.
        db::Transaction holds(connection);
        connection.query("SELECT name FROM leases WHERE name = 'work' FOR UPDATE");
        for (auto& each : taken) {
            auto& own = *connections.emplace_back(std::make_unique<db::Connection>(database.config()));
            const auto session = test::session_of(own);
            threads.emplace_back([&] {
                if (auto lease = db::Lease::take(own, "work", 1h)) each.emplace(std::move(*lease));
            });
            await([&] { return test::waits_for_lock(watcher, session); });
        }
    }
    BOOST_TEST(taken[0].has_value() != taken[1].has_value());
    taken.clear();
}

BOOST_AUTO_TEST_CASE(a_kept_lease_lasts_beyond_its_lifetime) {
    std::atomic<int> lost = 0;
    {
        const auto lease = db::KeptLease::take(
            database.config(), "work", [&] { ++lost; }, nullptr, 1s);
        BOOST_REQUIRE(lease);
        const auto first = connection.query("SELECT expires_at FROM leases WHERE name = 'work'").at(0).time(0);
        await([&] {
            return count("leases WHERE name = 'work' AND UTC_TIMESTAMP(3) > '" + core::to_sql(first) + "' + INTERVAL 1 SECOND") ==
                   1;
        });
        BOOST_TEST(is_held("work"));
        BOOST_TEST(!take());
    }
    BOOST_TEST(!is_held("work"));
    BOOST_TEST(lost == 0);
}

BOOST_AUTO_TEST_CASE(who_loses_a_kept_lease_is_told) {
    std::atomic<int> lost = 0;
    const auto lease = db::KeptLease::take(
        database.config(), "work", [&] { ++lost; }, nullptr, 1s);
    give_to_another("work");
    await([&] { return lost == 1; });
}

// The other one may take it as soon as it ends, so the holder ends before.
BOOST_AUTO_TEST_CASE(who_cannot_renew_is_told_before_the_lease_ends) {
    std::atomic<int> lost = 0;
    const auto lease = db::KeptLease::take(
        database.config(), "work", [&] { ++lost; }, nullptr, 2s);
    BOOST_REQUIRE(lease);
    connection.execute("RENAME TABLE leases TO leases_away");
    await([&] { return lost == 1; });
    BOOST_TEST(count("leases_away WHERE name = 'work' AND expires_at > UTC_TIMESTAMP(3)") == 1);
    connection.execute("RENAME TABLE leases_away TO leases");
}

BOOST_AUTO_TEST_CASE(upkeep_goes_on_after_a_process_that_was_killed) {
    take_in_child();
    for (const std::string name : {"recount", "reindex", "prune"}) {
        connection.execute(
            "INSERT INTO leases (name, holder, token, expires_at) SELECT ?, holder, token, expires_at FROM leases WHERE name = "
            "'work'",
            {name});
        const int refused = name == "prune" ? 0 : 1;
        const auto running = this_host() + ", process " + std::to_string(child);
        const auto told = ctl({name});
        BOOST_TEST(told.code == refused);
        BOOST_TEST(told.out == "nothing done: " + name + " is running on " + running + "\n");
        BOOST_TEST(ctl({name, "--json"}).out == "{\"runningOn\":\"" + running + "\"}\n");
    }
    end_child();
    for (const std::string name : {"recount", "reindex", "prune"}) {
        BOOST_TEST(ctl({name}).code == 0);
        BOOST_TEST(!is_held(name));
    }
}

BOOST_AUTO_TEST_SUITE_END()
