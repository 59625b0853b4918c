// Two processes work for one address at a time, and an address never has more than half of them.
#include "limits/turns.h"

#define BOOST_TEST_DYN_LINK
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <list>
#include <thread>

#include "unit/limits_support.h"

using namespace tradepost;
using namespace tradepost::limits;
using namespace tradepost::limits::test;
using namespace std::chrono_literals;
using Refusal = Turns::Refusal;

namespace {

struct Fixture {
    TemporaryFolder folder;
    std::string file = folder / "turns";
    core::ManualClock clock{start};
    std::list<Turns> members;  // each has the file open by itself, as a process has

    Fixture() { join(8); }
    void join(int count) {
        for (int i = 0; i < count; ++i) members.emplace_back(file, 2, clock);
    }
    Turns& member(int number) { return *std::next(members.begin(), number); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_turns, Fixture)

BOOST_AUTO_TEST_CASE(two_at_a_time_for_a_key) {
    auto first = member(0).take("a", 0ms), second = member(1).take("a", 0ms);
    BOOST_TEST((first.refusal == Refusal::none));
    BOOST_TEST((second.refusal == Refusal::none));
    BOOST_TEST((member(2).take("a", 0ms).refusal == Refusal::late));
    BOOST_TEST((member(2).take("b", 0ms).refusal == Refusal::none));
    { const auto over = std::move(first.turn); }
    BOOST_TEST((member(2).take("a", 0ms).refusal == Refusal::none));
}

BOOST_AUTO_TEST_CASE(one_at_a_time_where_that_is_the_rule) {
    Turns first(folder / "other", 1, clock), second(folder / "other", 1, clock);
    const auto turn = first.take("a", 0ms);
    BOOST_TEST((turn.refusal == Refusal::none));
    BOOST_TEST((second.take("b", 0ms).refusal == Refusal::none));
    BOOST_TEST((second.take("a", 0ms).refusal != Refusal::none));
}

BOOST_AUTO_TEST_CASE(one_that_waits_gets_the_next_turn) {
    auto first = member(0).take("a", 0ms);
    const auto second = member(1).take("a", 0ms);
    std::atomic<bool> waiting{false};
    Refusal refusal = Refusal::crowded;
    std::thread third([&] {
        waiting = true;
        refusal = member(2).take("a", 60s).refusal;
    });
    while (!waiting) std::this_thread::yield();
    { const auto over = std::move(first.turn); }
    third.join();
    BOOST_TEST((refusal == Refusal::none));
}

BOOST_AUTO_TEST_CASE(half_of_the_processes_for_a_key) {
    auto first = member(0).take("a", 0ms);
    const auto second = member(1).take("a", 0ms);
    std::vector<std::thread> waiting;
    for (int i = 2; i < 4; ++i) waiting.emplace_back([&, i] { member(i).take("a", 60s); });
    // Until both wait, a fifth one has a place, but no turn.
    while (member(4).take("a", 0ms).refusal != Refusal::crowded) std::this_thread::yield();
    BOOST_TEST((member(4).take("b", 0ms).refusal == Refusal::none));
    members.emplace_back(file, 2, clock);  // half of nine is four, too
    BOOST_TEST((member(8).take("a", 60s).refusal == Refusal::crowded));
    members.emplace_back(file, 2, clock);
    BOOST_TEST((member(9).take("a", 0ms).refusal == Refusal::late));
    { const auto over = std::move(first.turn); }
    for (auto& thread : waiting) thread.join();
}

BOOST_AUTO_TEST_CASE(the_only_process_works_for_anybody) {
    file = folder / "other";
    members.clear();
    join(1);
    for (int i = 0; i < 3; ++i) BOOST_TEST((member(0).take("a", 0ms).refusal == Refusal::none));
}

// Of two or three processes one works for a key, so that another one is left.
BOOST_AUTO_TEST_CASE(one_of_two_processes_for_a_key) {
    members.clear();
    join(2);
    const auto first = member(0).take("a", 0ms);
    BOOST_TEST((member(1).take("a", 60s).refusal == Refusal::crowded));
    BOOST_TEST((member(1).take("b", 60s).refusal == Refusal::none));
}

BOOST_AUTO_TEST_CASE(a_killed_process_leaves_its_turn) {
    const auto first = member(0).take("a", 0ms);
    int ends[2];
    BOOST_REQUIRE(pipe(ends) == 0);
    const pid_t child = in_child([&] {
        Turns turns(file, 2, clock);
        const auto second = turns.take("a", 0ms);
        const char byte = 'x';
        if (write(ends[1], &byte, 1) == 1) pause();
        return 0;
    });
    char byte;
    BOOST_REQUIRE(read(ends[0], &byte, 1) == 1);
    BOOST_TEST((member(1).take("a", 0ms).refusal == Refusal::late));
    kill(child, SIGKILL);
    BOOST_TEST(exit_code(child) == -SIGKILL);
    BOOST_TEST((member(1).take("a", 0ms).refusal == Refusal::none));
    close(ends[0]);
    close(ends[1]);
}

// Whoever comes after a file was removed shares the new one with those who were there.
BOOST_AUTO_TEST_CASE(a_removed_file_is_made_again) {
    const auto first = member(0).take("a", 0ms), second = member(1).take("a", 0ms);
    std::filesystem::remove(file);
    for (int i = 2; i < 8; ++i) BOOST_TEST((member(i).take("b", 0ms).refusal == Refusal::none));  // they look for it then
    const auto third = member(2).take("a", 0ms), fourth = member(3).take("a", 0ms);
    BOOST_TEST((fourth.refusal == Refusal::none));
    BOOST_TEST((member(4).take("a", 0ms).refusal == Refusal::late));
}

BOOST_AUTO_TEST_CASE(processes_have_time_to_join_a_file_that_replaced_another) {
    members.clear();
    join(2);
    {
        const auto first = member(0).take("a", 0ms);
        BOOST_TEST((member(1).take("a", 60s).refusal == Refusal::crowded));
    }
    std::filesystem::remove(file);
    auto first = member(0).take("a", 0ms);
    Refusal refusal = Refusal::crowded;
    std::thread second([&] { refusal = member(1).take("a", 60s).refusal; });
    std::this_thread::sleep_for(50ms);
    { const auto over = std::move(first.turn); }
    second.join();
    BOOST_TEST((refusal == Refusal::none));
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_used_lets_everybody_through) {
    const CapturedLog log;
    const std::string missing = folder / "none/turns", no_file = folder / "a-folder", link = folder / "link";
    std::filesystem::create_directory(no_file);
    std::filesystem::create_symlink(file, link);
    for (const auto& path : {missing, no_file, link}) {
        std::list<Turns> all;
        for (int i = 0; i < 4; ++i) all.emplace_back(path, 2, clock);
        for (auto& one : all) BOOST_TEST((one.take("a", 0ms).refusal == Refusal::none));
    }
    BOOST_TEST(log.lines_with("event=rate_limits_not_counted") == 12);  // each process once
}

BOOST_AUTO_TEST_SUITE_END()
