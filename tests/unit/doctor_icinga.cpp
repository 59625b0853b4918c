// What tradepostctl doctor --icinga prints: a summary with performance data, then faults and advice.
#include <iostream>
#include <sstream>

#include "ctl/doctor/doctor.h"

using namespace tradepost;

namespace {

struct Plugin {
    std::ostringstream out;
    std::streambuf* before = std::cout.rdbuf(out.rdbuf());
    ctl::Report report{ctl::ReportFormat::icinga};
    ~Plugin() { std::cout.rdbuf(before); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(doctor_icinga)

BOOST_AUTO_TEST_CASE(all_checks_passed) {
    Plugin plugin;
    plugin.report.check(true, "database answers", "");
    plugin.report.check(true, "schema 9 of 9", "");
    plugin.report.figure("outbox_lag=0s;60;;0");
    BOOST_TEST(plugin.report.finish("shop") == 0);
    BOOST_TEST(plugin.out.str() == "TRADEPOST OK - shop: 2 checks passed | failed=0;;0;0 advice=0;0;;0 outbox_lag=0s;60;;0\n");
}

BOOST_AUTO_TEST_CASE(advice_is_a_warning) {
    Plugin plugin;
    plugin.report.check(true, "database answers", "");
    plugin.report.warn("certificate ends on 2026-01-31", "renew it");
    BOOST_TEST(plugin.report.finish("shop") == 1);
    BOOST_TEST(plugin.out.str() ==
               "TRADEPOST WARNING - shop: 1 of 2 checks advise: certificate ends on 2026-01-31 | failed=0;;0;0 "
               "advice=1;0;;0\nWARN certificate ends on 2026-01-31: renew it\n");
}

// A bar would begin performance data, and a line break another line.
BOOST_AUTO_TEST_CASE(faults_come_first_and_have_neither_bars_nor_control_characters) {
    Plugin plugin;
    plugin.report.warn("slow", "wait");
    plugin.report.check(false, "a|b", "x | y\nz");
    plugin.report.check(true, "fine", "");
    plugin.report.check(false, "c", "d");
    BOOST_TEST(plugin.report.finish("shop") == 2);
    const auto out = plugin.out.str();
    BOOST_TEST(out.starts_with(
        "TRADEPOST CRITICAL - shop: 2 of 4 checks failed: a/b; c | failed=2;;0;0 advice=1;0;;0\nFAIL a/b: x / y"));
    BOOST_TEST(out.ends_with("\nFAIL c: d\nWARN slow: wait\n"));
    BOOST_TEST(std::count(out.begin(), out.end(), '\n') == 4);
}

BOOST_AUTO_TEST_CASE(nothing_could_be_checked) {
    Plugin plugin;
    BOOST_TEST(ctl::print_unknown_for_icinga("no file a|b") == 3);
    BOOST_TEST(plugin.out.str() == "TRADEPOST UNKNOWN - no file a/b\n");
}

BOOST_AUTO_TEST_SUITE_END()
