// Sums over a histogram's cells against plain loops.
#define BOOST_TEST_DYN_LINK
#include "counts/histogram.h"

#include <boost/test/unit_test.hpp>
#include <random>

using namespace tradepost;

namespace {

constexpr int shifts[] = {16, 8, 0};
constexpr counts::Histogram histogram(2, shifts);

// How many of `values` fall into the ranges.
std::int64_t sum(const std::vector<std::uint64_t>& values, const std::vector<counts::Buckets>& ranges) {
    std::int64_t n = 0;
    for (const auto value : values)
        for (const auto& range : ranges) {
            const auto bucket = value >> shifts[range.measure - 2];
            n += bucket >= range.first && bucket <= range.last;
        }
    return n;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(histogram_sums)

BOOST_AUTO_TEST_CASE(below_and_above_are_what_a_loop_counts) {
    std::mt19937_64 random(3);
    const std::uint64_t edges[] = {0, 1, 255, 256, 257, 65535, 65536, 65537, 1000000000, 4294967294, 4294967295};
    std::vector<std::uint64_t> values(std::begin(edges), std::end(edges));
    for (int i = 0; i < 500; ++i) values.push_back(random() % (i % 2 ? 70000 : 4294967296));
    for (const auto bound : values) {
        BOOST_TEST(sum(values, histogram.below(bound)) ==
                   std::count_if(values.begin(), values.end(), [&](auto v) { return v < bound; }));
        BOOST_TEST(sum(values, histogram.above(bound)) ==
                   std::count_if(values.begin(), values.end(), [&](auto v) { return v > bound; }));
    }
}

BOOST_AUTO_TEST_CASE(a_sum_is_of_one_range_a_level_at_most) {
    BOOST_TEST(histogram.below(123456789).size() == 3u);
    BOOST_TEST(histogram.above(123456789).size() == 3u);
    BOOST_TEST(histogram.below(0).empty());
}

BOOST_AUTO_TEST_SUITE_END()
