// Which requests a pool of workers admits while others are served: the table of fcgi-app/limits/README.md.
#include "limits/admission.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <list>
#include <thread>

#include "support/threads.h"
#include "unit/limits_support.h"

using namespace tradepost;
using namespace tradepost::limits;
using namespace tradepost::limits::test;
using namespace std::chrono_literals;
using enum Cost;
using Refusal = Admission::Refusal;

namespace {

struct Pool {
    TemporaryFolder folder;
    core::ManualClock clock{start};
    std::list<Admission> workers;  // each has the file open by itself, as a process has
    std::size_t next = 0;

    explicit Pool(int size) {
        for (int i = 0; i < size; ++i) workers.emplace_back(folder / "turns", size, clock);
    }
    Admission& worker(std::size_t number) { return *std::next(workers.begin(), std::ptrdiff_t(number)); }

    // The next free worker takes the request, and keeps it if it is admitted. Does not wait for a turn.
    Refusal take(Cost cost, std::vector<std::string> who) {
        BOOST_REQUIRE(next < workers.size());
        const auto refusal = worker(next).admit(cost, who, 0ms);
        next += refusal == Refusal::none;
        return refusal;
    }
    // How many requests of one caller are admitted, and then of others.
    int most(Cost cost, const std::function<std::string(int)>& caller, Refusal& end) {
        int admitted = 0;
        while (next < workers.size() && (end = take(cost, {caller(admitted)})) == Refusal::none) ++admitted;
        return admitted;
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(limits_admission)

struct Row {
    Cost cost;
    int workers, of_caller, of_all;
};
constexpr Row rows[] = {
    // cheap: the reads are not asked; this is about what writes and has no rate limit
    {cheap, 1, 1, 1},  {cheap, 2, 1, 2},  {cheap, 4, 2, 4},   {cheap, 8, 2, 8},   {cheap, 16, 4, 16}, {search, 1, 1, 1},
    {search, 2, 1, 1}, {search, 4, 1, 2}, {search, 8, 2, 4},  {search, 16, 4, 8}, {write, 1, 1, 1},   {write, 2, 1, 1},
    {write, 4, 2, 3},  {write, 8, 2, 7},  {write, 16, 4, 15}, {bulk, 1, 1, 1},    {bulk, 2, 1, 1},    {bulk, 8, 4, 7},
    {bulk, 16, 8, 15}, {hash, 1, 1, 1},   {hash, 2, 1, 2},    {hash, 8, 2, 8},    {hash, 16, 4, 16},
};

BOOST_AUTO_TEST_CASE(a_caller_and_all_callers_have_their_shares) {
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(cost_names[std::size_t(row.cost)] << " in a pool of " << row.workers) {
            auto end = Refusal::none;
            Pool one(row.workers), many(row.workers);
            BOOST_TEST(one.most(
                           row.cost, [](int) { return "user"; }, end) == row.of_caller);
            if (row.of_caller < std::min(row.workers, row.of_all)) BOOST_TEST((end == Refusal::caller));
            BOOST_TEST(many.most(
                           row.cost, [](int i) { return std::to_string(i); }, end) == row.of_all);
            if (row.of_all < row.workers) BOOST_TEST((end == Refusal::pool));
        }
    }
}

BOOST_AUTO_TEST_CASE(the_share_of_a_caller_is_for_all_it_does) {
    Pool pool(4);
    BOOST_TEST((pool.take(write, {"user"}) == Refusal::none));
    BOOST_TEST((pool.take(search, {"user"}) == Refusal::none));
    BOOST_TEST((pool.take(cheap, {"user"}) == Refusal::caller));
    BOOST_TEST((pool.take(cheap, {"another"}) == Refusal::none));
}

BOOST_AUTO_TEST_CASE(an_organisation_has_the_share_of_a_caller) {
    Pool pool(8);
    BOOST_TEST((pool.take(write, {"a", "organisation"}) == Refusal::none));
    BOOST_TEST((pool.take(write, {"b", "other", "organisation"}) == Refusal::none));
    BOOST_TEST((pool.take(write, {"c", "organisation"}) == Refusal::caller));
    BOOST_TEST((pool.take(write, {"c", "other"}) == Refusal::none));
}

// What was refused holds nothing.
BOOST_AUTO_TEST_CASE(a_refused_request_leaves_its_shares) {
    Pool pool(4);
    for (const auto* user : {"a", "b", "c"}) BOOST_TEST((pool.take(write, {user}) == Refusal::none));
    for (int i = 0; i < 3; ++i) BOOST_TEST((pool.take(write, {"d"}) == Refusal::pool));
    pool.worker(0).end();
    BOOST_TEST((pool.take(write, {"d"}) == Refusal::none));
}

BOOST_AUTO_TEST_CASE(a_second_search_of_a_caller_waits_for_the_first) {
    Pool pool(4);
    BOOST_TEST((pool.take(search, {"user"}) == Refusal::none));
    auto second = Refusal::pool;
    const std::vector<std::string> user{"user"}, another{"another"};
    tradepost::test::Thread waiting([&] {
        // Below, the third worker may have the place for a moment.
        do second = pool.worker(1).admit(search, user, 60s);
        while (second == Refusal::caller);
    });
    while (!waiting.ended() && pool.worker(2).admit(cheap, user) == Refusal::none) {
        pool.worker(2).end();
        std::this_thread::yield();
    }
    // One that waits does not take the other half of the searches.
    BOOST_TEST((pool.worker(2).admit(search, another) == Refusal::none));
    pool.worker(2).end();
    pool.worker(0).end();
    waiting.join();
    BOOST_TEST((second == Refusal::none));
}

BOOST_AUTO_TEST_CASE(a_pool_is_as_large_as_its_service_says) {
    setenv("WORKERS", "12", 1);
    BOOST_TEST(pool_size() == 12);
    for (const auto* text : {"", "x", "0", "-3"}) {
        setenv("WORKERS", text, 1);
        BOOST_TEST(pool_size() == 4);
    }
    setenv("WORKERS", "1000", 1);
    BOOST_TEST(pool_size() == 64);
    unsetenv("WORKERS");
    BOOST_TEST(pool_size() == 4);
}

BOOST_AUTO_TEST_SUITE_END()
