// What tradepostctl doctor says of the versions of servers.
#include <iostream>
#include <sstream>

#include "ctl/doctor/doctor.h"

using namespace tradepost;

namespace {

std::string said(const ctl::ServerVersion& server) {
    std::ostringstream lines;
    auto* const before = std::cout.rdbuf(lines.rdbuf());
    ctl::Report report(ctl::ReportFormat::lines);
    ctl::check_version(server, report);
    std::cout.rdbuf(before);
    return lines.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(doctor_version)

BOOST_AUTO_TEST_CASE(servers_that_are_tested_might_work_and_are_too_old) {
    BOOST_TEST(said({true, 10, 11}) == "ok   server version MariaDB 10.11\n");
    BOOST_TEST(said({true, 11, 8}) == "ok   server version MariaDB 11.8\n");
    BOOST_TEST(said({false, 8, 0}) == "ok   server version MySQL 8.0\n");
    BOOST_TEST(said({false, 8, 4}) == "ok   server version MySQL 8.4\n");
    BOOST_TEST(said({false, 9, 7}) == "ok   server version MySQL 9.7\n");
    BOOST_TEST(said({true, 11, 4}) == "ok   server version MariaDB 11.4, which is not tested as 10.11 and 11.8 are\n");
    BOOST_TEST(said({true, 12, 0}) == "ok   server version MariaDB 12.0, which is not tested as 10.11 and 11.8 are\n");
    BOOST_TEST(said({false, 9, 0}) == "ok   server version MySQL 9.0, which is not tested as 8.0, 8.4 and 9.7 are\n");
    BOOST_TEST(said({true, 10, 5}) ==
               "FAIL server version MariaDB 10.5, which is not tested as 10.11 and 11.8 are: 10.6 is the oldest that may work: "
               "upgrade the server\n");
    BOOST_TEST(said({false, 5, 7}) ==
               "FAIL server version MySQL 5.7, which is not tested as 8.0, 8.4 and 9.7 are: 8.0 is the oldest that may work: "
               "upgrade the server\n");
}

BOOST_AUTO_TEST_CASE(search_servers) {
    BOOST_TEST(ctl::describe_search_server("2.2.11-id64-release (95ae9a6)") == "Sphinx 2.2.11-id64-release (95ae9a6)");
    BOOST_TEST(ctl::describe_search_server("6.2.12 dc5144d35@230822") ==
               "Manticore Search 6.2.12 dc5144d35@230822, which speaks the same dialect and is not tested as Sphinx 2.2 is");
    BOOST_TEST(ctl::describe_search_server("3.5.1 (commit 82c60cb)") ==
               "3.5.1 (commit 82c60cb), which is not tested as Sphinx 2.2 is");
}

BOOST_AUTO_TEST_SUITE_END()
