// Many processes on one file: exactness, and deaths at the worst moment.
#define BOOST_TEST_DYN_LINK
#include <signal.h>
#include <sys/mman.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "limits/shared_memory.h"
#include "unit/limits_support.h"

using namespace tradepost;
using namespace tradepost::limits;
using namespace tradepost::limits::test;

namespace {

constexpr core::Rate quarter_hour(std::uint32_t requests) {
    return {requests, std::chrono::minutes(15)};
}

// A number that children and parent share.
struct SharedNumber {
    SharedNumber()
        : value(new (mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) std::atomic<int>(0)) {}
    ~SharedNumber() { munmap(value, 4096); }
    std::atomic<int>* value;
};

// The limiter asks for the time while it holds a set's lock: the moment to die or to hang in.
struct LethalClock final : core::Clock {
    core::Time now() const override {
        kill(getpid(), SIGKILL);
        return start;
    }
};

struct HangingClock final : core::Clock {
    core::Time now() const override {
        char byte = 'x';
        if (write(reached, &byte, 1) == 1) pause();
        return start;
    }
    int reached = -1;
};

struct Fixture {
    TemporaryFolder folder;
    std::string file = folder / "counters";
    core::ManualClock clock{start};
    SharedNumber allowed;

    pid_t hammer(int times, core::Rate rate, Gate* gate = nullptr) {
        return in_child([&, times, rate, gate] {
            if (gate) gate->wait();
            SharedMemoryLimiter limiter(file, clock, patience);
            for (int i = 0; i < times; ++i) {
                if (limiter.count("class", "key", rate).allowed) ++*allowed.value;
            }
            return 0;
        });
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_processes, Fixture)

BOOST_AUTO_TEST_CASE(eight_processes_share_one_limit_exactly) {
    for (const std::uint32_t limit : {5'000u, 10'000u}) {
        std::filesystem::remove(file);
        *allowed.value = 0;
        Gate gate;
        std::vector<pid_t> children;
        for (int i = 0; i < 8; ++i) children.push_back(hammer(1'000, quarter_hour(limit), &gate));
        gate.open_to_all();
        for (const pid_t child : children) BOOST_TEST(exit_code(child) == 0);
        BOOST_TEST(*allowed.value == static_cast<int>(std::min(limit, 8'000u)));
    }
}

BOOST_AUTO_TEST_CASE(a_real_clock_read_by_many_processes_begins_no_window_twice) {
    core::SystemClock system;
    Gate gate;
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) {
        children.push_back(in_child([&] {
            gate.wait();
            SharedMemoryLimiter limiter(file, system, patience);
            for (int key = 0; key < 2'000; ++key) {
                if (limiter.count("class", std::to_string(key), quarter_hour(1)).allowed) ++*allowed.value;
            }
            return 0;
        }));
    }
    gate.open_to_all();
    for (const pid_t child : children) BOOST_TEST(exit_code(child) == 0);
    BOOST_TEST(*allowed.value == 2'000);
}

BOOST_AUTO_TEST_CASE(processes_that_start_at_once_end_with_one_file) {
    for (int round = 0; round < 30; ++round) {
        if (round % 3 == 0) std::filesystem::remove(file);
        if (round % 3 == 1) std::ofstream(file) << "not counters";
        if (round % 3 == 2) std::ofstream(file, std::ios::in | std::ios::out) << "damaged";
        *allowed.value = 0;
        Gate gate;
        std::vector<pid_t> children;
        for (int i = 0; i < 8; ++i) children.push_back(hammer(100, quarter_hour(300), &gate));
        gate.open_to_all();
        for (const pid_t child : children) BOOST_REQUIRE(exit_code(child) == 0);
        BOOST_REQUIRE(*allowed.value == 300);
    }
}

BOOST_AUTO_TEST_CASE(a_process_killed_while_it_holds_a_lock_stops_nobody) {
    SharedMemoryLimiter limiter(file, clock, patience);
    BOOST_TEST(limiter.count("class", "key", quarter_hour(3)).remaining == 2u);
    const pid_t child = in_child([&] {
        LethalClock lethal;
        SharedMemoryLimiter(file, lethal, patience).count("class", "key", quarter_hour(3));
        return 0;
    });
    BOOST_TEST(exit_code(child) == -SIGKILL);
    BOOST_TEST(limiter.count("class", "key", quarter_hour(3)).remaining == 1u);
    BOOST_TEST(limiter.count("class", "key", quarter_hour(3)).remaining == 0u);
    BOOST_TEST(!limiter.count("class", "key", quarter_hour(3)).allowed);
}

BOOST_AUTO_TEST_CASE(a_process_stopped_while_it_holds_a_lock_lets_requests_through) {
    SharedMemoryLimiter limiter(file, clock, std::chrono::milliseconds(100));
    int ends[2];
    BOOST_REQUIRE(pipe(ends) == 0);
    const pid_t child = in_child([&] {
        HangingClock hanging;
        hanging.reached = ends[1];
        SharedMemoryLimiter(file, hanging, patience).count("class", "key", quarter_hour(2));
        return 0;
    });
    char byte;
    BOOST_REQUIRE(read(ends[0], &byte, 1) == 1);
    {
        const CapturedLog log;
        for (int i = 0; i < 2; ++i) {
            const Verdict verdict = limiter.count("class", "key", quarter_hour(2));
            BOOST_TEST(verdict.allowed);
            BOOST_TEST(verdict.remaining == 2u);
            BOOST_TEST(verdict.reset == 900u);
        }
        BOOST_TEST(log.lines_with("level=warning") == 1);
        clock.advance(std::chrono::seconds(59));
        limiter.count("class", "key", quarter_hour(2));
        BOOST_TEST(log.lines_with("level=warning") == 1);
        clock.advance(std::chrono::seconds(1));
        limiter.count("class", "key", quarter_hour(2));
        BOOST_TEST(log.lines_with("level=warning") == 2);
    }
    kill(child, SIGKILL);
    BOOST_TEST(exit_code(child) == -SIGKILL);
    BOOST_TEST(limiter.count("class", "key", quarter_hour(2)).remaining == 1u);
    close(ends[0]);
    close(ends[1]);
}

BOOST_AUTO_TEST_CASE(kills_at_random_moments_neither_block_nor_free) {
    // A process that dies between being allowed and saying so takes one with it.
    constexpr int limit = 200'000, kills = 200, certain = limit - kills - 4;
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) children.push_back(hammer(1'000'000'000, quarter_hour(limit)));
    for (int i = 0; i < kills; ++i) {
        pid_t& child = children[i % children.size()];
        const int before = *allowed.value;
        while (*allowed.value < std::min(certain, before + 500)) sched_yield();
        kill(child, SIGKILL);
        exit_code(child);
        child = hammer(1'000'000'000, quarter_hour(limit));
    }
    while (*allowed.value < certain) sched_yield();
    for (const pid_t child : children) {
        kill(child, SIGKILL);
        exit_code(child);
    }
    SharedMemoryLimiter limiter(file, clock, patience);
    while (limiter.count("class", "key", quarter_hour(limit)).allowed) ++*allowed.value;
    BOOST_TEST(*allowed.value <= limit);
    BOOST_TEST(*allowed.value >= certain);
}

BOOST_AUTO_TEST_SUITE_END()
