// tradepostctl doctor --icinga: exit codes and output of a monitoring plugin.
#include <filesystem>
#include <regex>

#include "e2e/doctor_checks.h"

using namespace tradepost::test;

namespace {

void check_plugin(const Finished& done, int code, const std::string& out) {
    BOOST_TEST(done.code == code);
    BOOST_TEST(done.err == "");
    BOOST_TEST(std::regex_match(done.out, std::regex(out)), done.out);
}

const std::string figures = " outbox_lag=0s;60;;0 outbox_waiting=\\d+;;;0 outbox_dead=\\d+;;;0 certificate=\\d+s;1209600:;0:\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(doctor_icinga)

BOOST_AUTO_TEST_CASE(a_healthy_instance_is_ok) {
    check_plugin(doctor({"--icinga"}), 0,
                 "TRADEPOST OK - [a-z0-9-]+: \\d\\d checks passed \\| failed=0;;0;0 advice=0;0;;0" + figures);
}

BOOST_AUTO_TEST_CASE(advice_is_a_warning) {
    const auto second = in_state("second.toml");
    std::filesystem::copy_file(in_state("tradepost.toml"), second);
    {
        Changed settings("second.toml");
        settings.replace("[database]\n", "[database]\nmax_connections = 104\n");
        const std::string what = "2 instances of this host may open 111 of 120 connections of the database server";
        check_plugin(doctor({"--icinga"}), 1,
                     "TRADEPOST WARNING - [a-z0-9-]+: 1 of \\d\\d checks advise: " + what + " \\| failed=0;;0;0 advice=1;0;;0" +
                         figures + "WARN " + what + ": set max_connections = 121 [^\n]+\n");
    }
    std::filesystem::remove(second);
}

BOOST_AUTO_TEST_CASE(a_fault_is_critical) {
    Changed settings("tradepost.toml");
    settings.replace("password = \"", "password = \"x");
    check_plugin(doctor({"--icinga"}), 2,
                 "TRADEPOST CRITICAL - [a-z0-9-]+: 1 of \\d+ checks failed: database answers \\| failed=1;;0;0 advice=0;0;;0"
                 " certificate=\\d+s;1209600:;0:\nFAIL database answers: the database refuses the sign-in: [^\n]+\n");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_checked_is_unknown) {
    check_plugin(doctor({"--icinga", "--json"}), 3, "TRADEPOST UNKNOWN - --json and --icinga exclude each other; [^\n]+\n");
    check_plugin(doctor({"--icinga", "--nothing"}), 3, "TRADEPOST UNKNOWN - [^\n]+ --nothing; see tradepostctl --help\n");
    Changed settings("tradepost.toml");
    settings.replace("[database]\n", "[database\n");
    check_plugin(doctor({"--icinga"}), 3, "TRADEPOST UNKNOWN - [^\n]+tradepost\\.toml:\\d+[^\n]+\n");
}

BOOST_AUTO_TEST_SUITE_END()
