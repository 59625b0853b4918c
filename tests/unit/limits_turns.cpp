// A key has so many places at a time, and so many turns for those who have a place.
#include "limits/turns.h"

#define BOOST_TEST_DYN_LINK
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <list>
#include <thread>

#include "support/threads.h"
#include "unit/limits_support.h"

using namespace tradepost;
using namespace tradepost::limits;
using namespace tradepost::limits::test;
using namespace std::chrono_literals;

namespace {

struct Fixture {
    TemporaryFolder folder;
    std::string file = folder / "turns";
    core::ManualClock clock{start};
    std::list<Turns> processes;  // each has the file open by itself, as a process has

    Fixture() {
        for (int i = 0; i < 8; ++i) processes.emplace_back(file, clock);
    }
    Turns& process(int number) { return *std::next(processes.begin(), number); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_turns, Fixture)

BOOST_AUTO_TEST_CASE(a_key_has_so_many_places) {
    auto first = process(0).take("a", 2), second = process(1).take("a", 2);
    BOOST_TEST(first.taken);
    BOOST_TEST(first.place.number() == 0);
    BOOST_TEST(second.place.number() == 1);
    BOOST_TEST(!process(2).take("a", 2).taken);
    BOOST_TEST(process(2).take("b", 2).taken);
    BOOST_TEST(process(2).take("a", 3).place.number() == 2);
    { const auto over = std::move(first.place); }
    BOOST_TEST(process(2).take("a", 2).place.number() == 0);
}

BOOST_AUTO_TEST_CASE(a_key_has_so_many_turns) {
    auto first = process(0).take("a", 4), second = process(1).take("a", 4), third = process(2).take("a", 4);
    BOOST_TEST(first.place.work(2, 0ms));
    BOOST_TEST(second.place.work(2, 0ms));
    BOOST_TEST(!third.place.work(2, 0ms));
    { const auto over = std::move(first.place); }
    BOOST_TEST(third.place.work(2, 0ms));
}

BOOST_AUTO_TEST_CASE(one_that_waits_gets_the_next_turn) {
    auto first = process(0).take("a", 4);
    BOOST_TEST(first.place.work(1, 0ms));
    std::atomic<bool> waiting{false}, worked{false};
    tradepost::test::Thread second([&] {
        auto taken = process(1).take("a", 4);
        waiting = true;
        worked = taken.place.work(1, 60s);
    });
    while (!waiting && !second.ended()) std::this_thread::yield();
    { const auto over = std::move(first.place); }
    second.join();
    BOOST_TEST(worked.load());
}

BOOST_AUTO_TEST_CASE(a_process_holds_places_for_several_keys) {
    std::array<Turns::Place, 3> held;
    for (std::size_t i = 0; i < held.size(); ++i) held[i] = std::move(process(0).take(std::to_string(i), 1).place);
    for (std::size_t i = 0; i < held.size(); ++i) {
        BOOST_TEST(!process(1).take(std::to_string(i), 1).taken);
        held[i] = Turns::Place();
        BOOST_TEST(process(1).take(std::to_string(i), 1).taken);
    }
}

BOOST_AUTO_TEST_CASE(a_killed_process_leaves_its_place_and_turn) {
    int ends[2];
    BOOST_REQUIRE(pipe(ends) == 0);
    const pid_t child = in_child([&] {
        Turns turns(file, clock);
        auto taken = turns.take("a", 1);
        const char byte = taken.place.work(1, 0ms) ? 'x' : '-';
        if (write(ends[1], &byte, 1) == 1) pause();
        return 0;
    });
    char byte;
    BOOST_REQUIRE(read(ends[0], &byte, 1) == 1);
    BOOST_TEST(byte == 'x');
    BOOST_TEST(!process(0).take("a", 1).taken);
    BOOST_TEST(!process(0).take("a", 2).place.work(1, 0ms));
    kill(child, SIGKILL);
    BOOST_TEST(exit_code(child) == -SIGKILL);
    BOOST_TEST(process(0).take("a", 1).place.work(1, 0ms));
    close(ends[0]);
    close(ends[1]);
}

// Whoever comes after a file was removed shares the new one with those who were there.
BOOST_AUTO_TEST_CASE(a_removed_file_is_created_again) {
    const auto first = process(0).take("a", 1);
    std::filesystem::remove(file);
    const auto second = process(1).take("a", 1);
    BOOST_TEST(second.taken);
    BOOST_TEST(!process(2).take("a", 1).taken);
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_used_lets_everybody_through) {
    const CapturedLog log;
    const std::string missing = folder / "none/turns", no_file = folder / "a-folder", link = folder / "link";
    std::filesystem::create_directory(no_file);
    std::filesystem::create_symlink(file, link);
    for (const auto& path : {missing, no_file, link}) {
        std::list<Turns> all;
        for (int i = 0; i < 4; ++i) all.emplace_back(path, clock);
        for (auto& one : all) {
            auto taken = one.take("a", 1);
            BOOST_TEST(taken.taken);
            BOOST_TEST(taken.place.work(1, 0ms));
        }
    }
    BOOST_TEST(log.lines_with("event=rate_limits_not_counted") == 12);  // each process once
}

BOOST_AUTO_TEST_SUITE_END()
