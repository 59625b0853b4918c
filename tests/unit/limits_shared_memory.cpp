#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "limits/shared_memory.h"
#include "unit/limits_support.h"

using namespace tradepost;
using namespace tradepost::limits;
using namespace tradepost::limits::test;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

struct Fixture {
    TemporaryFolder folder;
    core::ManualClock clock{start};
    std::string file = folder / "counters";
    SharedMemoryLimiter limiter{file, clock, patience};

    Verdict count(const std::string& key, core::Rate rate) { return limiter.count("class", key, rate); }
    void spend(const std::string& key, core::Rate rate) {
        for (std::uint32_t i = 0; i < rate.requests; ++i) BOOST_REQUIRE(count(key, rate).allowed);
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_shared_memory, Fixture)

BOOST_AUTO_TEST_CASE(counts_up_to_the_limit_and_then_refuses) {
    for (const std::uint32_t remaining : {2u, 1u, 0u}) {
        const Verdict verdict = count("key", per_minute(3));
        BOOST_TEST(verdict.allowed);
        BOOST_TEST(verdict.limit == 3u);
        BOOST_TEST(verdict.remaining == remaining);
        BOOST_TEST(verdict.reset == 60u);
    }
    BOOST_TEST(!count("key", per_minute(3)).allowed);
    BOOST_TEST(count("key", per_minute(3)).remaining == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_given_back_can_be_taken_again) {
    const auto give_back = [&] { return limiter.count("class", "key", per_minute(3), Use::give_back).remaining; };
    BOOST_TEST(give_back() == 3u);
    for (int i = 0; i < 3; ++i) (void)count("key", per_minute(3));
    BOOST_TEST(give_back() == 1u);
    BOOST_TEST(count("key", per_minute(3)).allowed);
    BOOST_TEST(!count("key", per_minute(3)).allowed);
}

BOOST_AUTO_TEST_CASE(a_window_begins_with_the_first_request_and_ends_exactly) {
    spend("key", per_minute(2));
    clock.advance(milliseconds(59'001));
    BOOST_TEST(count("key", per_minute(2)).reset == 1u);
    clock.advance(milliseconds(998));
    BOOST_TEST(!count("key", per_minute(2)).allowed);
    BOOST_TEST(count("key", per_minute(2)).reset == 1u);
    clock.advance(milliseconds(1));
    const Verdict verdict = count("key", per_minute(2));
    BOOST_TEST(verdict.allowed);
    BOOST_TEST(verdict.remaining == 1u);
    BOOST_TEST(verdict.reset == 60u);
}

BOOST_AUTO_TEST_CASE(reset_is_rounded_up_so_that_sleeping_it_succeeds) {
    spend("key", per_minute(1));
    for (const auto& [after_ms, reset] : {std::pair{1, 60u}, {1'000, 59u}, {1'001, 59u}, {58'999, 2u}, {59'000, 1u}}) {
        clock.set(start + milliseconds(after_ms));
        BOOST_TEST(count("key", per_minute(1)).reset == reset);
    }
    clock.set(start + milliseconds(30'500));
    const Verdict refused = count("key", per_minute(1));
    clock.advance(seconds(refused.reset));
    BOOST_TEST(count("key", per_minute(1)).allowed);
}

BOOST_AUTO_TEST_CASE(refused_requests_do_not_prolong_the_window) {
    spend("key", per_minute(1));
    for (int second = 0; second < 59; ++second) {
        clock.advance(seconds(1));
        BOOST_TEST(!count("key", per_minute(1)).allowed);
    }
    clock.advance(seconds(1));
    BOOST_TEST(count("key", per_minute(1)).allowed);
}

BOOST_AUTO_TEST_CASE(classes_and_keys_count_apart) {
    spend("key", per_minute(1));
    BOOST_TEST(count("other", per_minute(1)).allowed);
    BOOST_TEST(limiter.count("classk", "ey", per_minute(1)).allowed);
    BOOST_TEST(limiter.count("public", "key", per_minute(1)).allowed);
    BOOST_TEST(!count("key", per_minute(1)).allowed);
}

BOOST_AUTO_TEST_CASE(a_clock_set_back_keeps_nobody_out_for_longer_than_a_window) {
    spend("key", per_minute(1));
    clock.advance(seconds(30));
    spend("late", per_minute(1));
    clock.set(start);  // "late" ends more than a window ahead now
    BOOST_TEST(!count("key", per_minute(1)).allowed);
    BOOST_TEST(count("late", per_minute(1)).allowed);
    clock.set(start - std::chrono::hours(24));
    BOOST_TEST(count("key", per_minute(1)).allowed);
}

BOOST_AUTO_TEST_CASE(a_changed_configuration_holds_at_once) {
    spend("key", per_minute(2));
    for (int i = 0; i < 5; ++i) BOOST_TEST(!count("key", per_minute(2)).allowed);
    BOOST_TEST(count("key", per_minute(3)).allowed);  // refused requests did not count
    BOOST_TEST(!count("key", per_minute(1)).allowed);
    BOOST_TEST(count("key", per_minute(1)).remaining == 0u);
    spend("sign-in", sign_in);
    BOOST_TEST(count("sign-in", per_minute(1)).allowed);  // the old window would last longer than the new one can
    BOOST_TEST(!count("none", per_minute(0)).allowed);
}

BOOST_AUTO_TEST_CASE(limiters_on_one_file_share_and_others_do_not) {
    SharedMemoryLimiter same(file, clock, patience), other(folder / "other", clock, patience);
    spend("key", per_minute(1));
    BOOST_TEST(!same.count("class", "key", per_minute(1)).allowed);
    BOOST_TEST(other.count("class", "key", per_minute(1)).allowed);
}

BOOST_AUTO_TEST_CASE(a_flood_of_new_keys_frees_none_that_is_spent) {
    spend("public", per_minute(60));
    spend("sign-in", sign_in);
    const auto size = std::filesystem::file_size(file);
    for (int i = 0; i < 1'000'000; ++i) count(std::to_string(i), per_minute(60));
    BOOST_TEST(!count("public", per_minute(60)).allowed);
    BOOST_TEST(!count("sign-in", sign_in).allowed);
    BOOST_TEST(std::filesystem::file_size(file) == size);
}

BOOST_AUTO_TEST_CASE(parts_of_limits_are_compared_and_not_counts) {
    spend("sign-in", sign_in);
    for (int i = 0; i < 300'000; ++i) {
        for (int request = 0; request < 9; ++request) count(std::to_string(i), per_minute(60));
    }
    BOOST_TEST(!count("sign-in", sign_in).allowed);
}

BOOST_AUTO_TEST_CASE(windows_that_are_over_make_room_first) {
    for (int i = 0; i < 400'000; ++i) count("old" + std::to_string(i), per_minute(1));  // every slot is spent
    clock.advance(seconds(60));
    for (int i = 0; i < 5'000; ++i) count(std::to_string(i), sign_in);
    int remembered = 0;
    for (int i = 0; i < 5'000; ++i) remembered += count(std::to_string(i), sign_in).remaining == 6;
    BOOST_TEST(remembered == 5'000);
}

BOOST_AUTO_TEST_SUITE_END()
