// Writes a line for each test case as it begins and as it ends, to the file that TRADEPOST_TEST_LOG names:
//
//   start SUITE/CASE
//   ok SUITE/CASE 0.123
//   FAIL SUITE/CASE 0.123
//
// The last figure is seconds. tests/run counts these lines, so a program that dies or is stopped loses no result, and the test that
// was running has a name.
#include <fcntl.h>
#include <unistd.h>

#include <boost/test/results_collector.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <cstdlib>

namespace {

namespace ut = boost::unit_test;

class TestLog : public ut::test_observer {
public:
    TestLog() {
        const char* const path = std::getenv("TRADEPOST_TEST_LOG");
        if (!path || !*path) return;
        file_ = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (file_ < 0) {
            std::fprintf(stderr, "TRADEPOST_TEST_LOG: cannot write %s\n", path);
            std::exit(2);
        }
        ut::framework::register_observer(*this);
    }

    void test_unit_start(const ut::test_unit& unit) override {
        if (unit.p_type == ut::TUT_CASE) write_line("start " + unit.full_name());
    }

    void test_unit_finish(const ut::test_unit& unit, unsigned long microseconds) override {
        if (unit.p_type != ut::TUT_CASE) return;
        char seconds[32];
        std::snprintf(seconds, sizeof seconds, " %.3f", double(microseconds) / 1e6);
        const bool passed = ut::results_collector.results(unit.p_id).passed();
        write_line((passed ? "ok " : "FAIL ") + unit.full_name() + seconds);
    }

    // After the framework's own observer, which must be the first.
    int priority() override { return 10; }

private:
    void write_line(std::string line) const {
        line += '\n';
        if (write(file_, line.data(), line.size()) != ssize_t(line.size())) {
            std::fputs("TRADEPOST_TEST_LOG: the disk is full\n", stderr);
            std::_Exit(2);
        }
    }

    int file_ = -1;
};

TestLog test_log;

}  // namespace
