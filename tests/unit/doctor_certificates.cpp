// What tradepostctl doctor says of certificates that end.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "ctl/doctor/doctor.h"
#include "support/process.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

const core::Time now = *core::parse_rfc3339("2026-11-28T12:00:00Z");

std::string said(core::Time ends) {
    std::ostringstream lines;
    auto* const before = std::cout.rdbuf(lines.rdbuf());
    ctl::Report report(ctl::ReportFormat::lines);
    ctl::check_certificate_end("certificate of db1", ends, now, "renew it", report);
    std::cout.rdbuf(before);
    return lines.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(doctor_certificates)

BOOST_AUTO_TEST_CASE(the_end_is_near) {
    BOOST_TEST(said(now + std::chrono::days(14)) == "ok   certificate of db1 ends on 2026-12-12\n");
    BOOST_TEST(said(now + std::chrono::days(14) - 1ms) == "WARN certificate of db1 ends on 2026-12-12: renew it\n");
    BOOST_TEST(said(now + 1ms) == "WARN certificate of db1 ends on 2026-11-28: renew it\n");
    BOOST_TEST(said(now) == "FAIL certificate of db1: it ended on 2026-11-28: renew it\n");
}

BOOST_AUTO_TEST_CASE(times_of_servers) {
    BOOST_TEST((ctl::parse_certificate_time("Nov 28 12:00:00 2026 GMT") == now));
    BOOST_TEST((ctl::parse_certificate_time("Mar  2 16:26:57 2029 GMT") == core::parse_rfc3339("2029-03-02T16:26:57Z")));
    BOOST_TEST(!ctl::parse_certificate_time(""));
}

// A file of authorities has the new one beside the old one while both are in use.
BOOST_AUTO_TEST_CASE(the_last_certificate_of_a_file_counts) {
    auto folder = (std::filesystem::temp_directory_path() / "tradepost-certificates-XXXXXX").string();
    BOOST_REQUIRE(mkdtemp(folder.data()));
    const auto done = test::run_command(
        {"sh", "-ec",
         "cd " + folder +
             "; for days in 3 9 6; do openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days $days "
             "-subj /CN=ca -keyout key >>ca.crt 2>>errors; done; : >empty"});
    BOOST_TEST(done.code == 0, done.err);
    const auto ends = ctl::last_end(folder + "/ca.crt");
    BOOST_REQUIRE(ends);
    BOOST_TEST(
        std::abs(std::chrono::round<std::chrono::minutes>(*ends - (core::SystemClock().now() + std::chrono::days(9))).count()) <=
        1);
    BOOST_TEST(!ctl::last_end(folder + "/empty"));
    BOOST_TEST(!ctl::last_end(folder + "/none"));
    BOOST_TEST(!ctl::last_end(""));
    std::filesystem::remove_all(folder);
}

BOOST_AUTO_TEST_SUITE_END()
