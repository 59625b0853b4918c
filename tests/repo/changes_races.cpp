// Writers that commit late against a reader that must come by each committed change once.
#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <set>

#include "repo/changes_support.h"
#include "support/threads.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

constexpr int writers = 4, transactions = 800;

struct Fixture : test::ChangesFixture {
    std::mutex mutex;
    std::set<core::Uuid> committed;
    std::atomic<int> writing = writers;

    // Each transaction stays open while others of its own commit, as long as chance has it.
    void write(unsigned seed) {
        const std::shared_ptr<void> end(nullptr, [&](void*) { --writing; });
        std::mt19937 random(seed);
        struct Open {
            std::unique_ptr<db::Connection> connection;
            std::unique_ptr<db::Transaction> transaction;
            std::vector<core::Uuid> ids;
        };
        std::vector<Open> open(3);
        for (auto& each : open) each.connection = std::make_unique<db::Connection>(database.config());
        for (int n = 0; n < transactions;) {
            auto& each = open[random() % open.size()];
            if (!each.transaction) each.transaction = std::make_unique<db::Transaction>(*each.connection);
            if (random() % 3) {
                each.ids.push_back(core::Uuid::v7(now));
                const changes::Changed changed{random() % 2 ? "jobs" : "posts", each.ids.back(), {}, changes::Kind::written};
                changes::record(*each.connection, std::span(&changed, 1));
                continue;
            }
            if (random() % 4) {
                each.transaction->commit();
                const std::lock_guard lock(mutex);
                committed.insert(each.ids.begin(), each.ids.end());
            }
            each.transaction.reset();
            each.ids.clear();
            ++n;
        }
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(changes_races, Fixture)

BOOST_AUTO_TEST_CASE(each_committed_change_is_read_once) {
    std::vector<test::Thread> threads;
    for (unsigned seed = 0; seed < writers; ++seed) threads.emplace_back([&, seed] { write(seed); });
    // Another one numbers too, and removes what the reader has taken.
    threads.emplace_back([&] {
        db::Connection own(database.config());
        while (writing > 0) {
            changes::number(own);
            changes::prune(own, now);
        }
    });
    std::vector<changes::Change> all;
    std::int64_t position = 0;
    changes::set_reader(connection, "one", "", 0);
    const auto take = [&] {
        changes::number(connection);
        const auto page = changes::read(connection, "", position, 7);
        all.insert(all.end(), page.begin(), page.end());
        if (!page.empty()) changes::set_reader(connection, "one", "", position = page.back().position);
        return !page.empty();
    };
    while (writing > 0) take();
    for (auto& thread : threads) thread.join();
    while (take()) continue;
    std::set<core::Uuid> read;
    for (std::size_t i = 0; i < all.size(); ++i) {
        BOOST_TEST_REQUIRE(all[i].position == std::int64_t(i) + 1);
        BOOST_TEST_REQUIRE(read.insert(all[i].id).second);
    }
    BOOST_TEST((read == committed));
    BOOST_TEST(read.size() > 1000u);
    BOOST_TEST(count("changes WHERE position IS NULL") == 0);
    BOOST_TEST(connection.errors().conflict == 0u);
}

// Even the first time, when they make the row that they lock.
BOOST_AUTO_TEST_CASE(many_number_at_once) {
    for (int round = 0; round < 20; ++round) {
        database.clear();
        ids.clear();
        add(1500);
        std::vector<test::Thread> threads;
        std::atomic<std::size_t> numbered = 0;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                db::Connection own(database.config());
                while (numbered < 1500) numbered += changes::number(own);
            });
        for (auto& thread : threads) thread.join();
        BOOST_TEST(numbered == 1500u);
        BOOST_TEST(changes::last_position(connection) == 1500);
        BOOST_TEST((read_ids() == ids));
    }
}

BOOST_AUTO_TEST_SUITE_END()
