// What reads cost with 10,000 jobs and with 1,000,000 (TRADEPOST_TEST_ROWS names another number): in rows that the server
// reads, not in time. Each list is a test of its own: `test-scale --run_test='jobs: city'`. With --log_level=message it says what
// each costs.
#define BOOST_TEST_DYN_LINK
#define BOOST_TEST_NO_MAIN
#define BOOST_TEST_ALTERNATIVE_INIT_API
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "core/clock.h"
#include "core/log.h"
#include "scale/checks.h"

namespace {

using namespace tradepost;
namespace ut = boost::unit_test;

void load() {
    const char* rows = std::getenv("TRADEPOST_TEST_ROWS");
    const auto now = core::SystemClock().now();
    const auto begin = std::chrono::steady_clock::now();
    const auto took = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
    test::sizes().small.emplace(10'000, now);
    test::sizes().large.emplace(rows ? std::stoll(rows) : 1'000'000, now);
    std::cout << "filled two databases in " << int(took()) << " s" << std::endl;
}

bool register_tests() {
    auto& suite = ut::framework::master_test_suite();
    for (const auto& reads : {test::job_reads(), test::dealer_reads(), test::content_reads()})
        for (const auto& read : reads) {
            test::expect(read.from, read.where);
            if (!read.by_design.empty()) test::expect(read.from, read.by_design);
            suite.add(ut::make_test_case([read] { test::check_list(read); }, read.name, __FILE__, __LINE__));
        }
    for (const auto& [name, check] : test::other_checks()) suite.add(ut::make_test_case(check, name, __FILE__, __LINE__));
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    core::log::set_level(core::log::Level::error);
    load();
    const int result = ut::unit_test_main(register_tests, argc, argv);
    // Before the connector's own statics go.
    test::sizes().small.reset();
    test::sizes().large.reset();
    return result;
}
