// make run, up and down, on the second stack; and the script that installs packages.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "e2e/checks.h"
#include "support/held_port.h"

using namespace tradepost::test;

namespace {

Finished make(const std::string& target, std::vector<std::string> variables, const std::string& port = "",
              Environment more = {}) {
    std::vector<std::string> command{"make", "--no-print-directory", target};
    for (auto& variable : variables) command.push_back(variable);
    if (!port.empty()) command.push_back("PORT=" + port);
    more.insert({{"MAKEFLAGS", ""}, {"MAKELEVEL", ""}, {"DEMO", "off"}});
    return run_command(command, "", more);
}

// A line each.
std::string left_of(const std::string& folder) {
    std::string lines;
    for (const auto& process : processes_with(folder + "/")) lines += process + "\n";
    return lines;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(stack_commands)

BOOST_AUTO_TEST_CASE(run_ends_with_ctrl_c_and_up_goes_on_with_what_was_written) {
    auto& own = own_stack();
    const auto user = own.add_user();
    const auto token = own.mint(user);
    BOOST_TEST(Client(own.site()).get("/api/v1/me", bearer(token)).status == 200);

    stop_own_stack();
    BOOST_TEST(left_of(own.state()) == "");

    const auto variables = own_stack_variables();
    const auto up = make("up", variables);
    BOOST_TEST_CONTEXT(up.out << up.err) BOOST_TEST(up.code == 0);
    BOOST_TEST(up.out.find(own.site().url + "/api/v1/jobs") != std::string::npos);
    BOOST_TEST(Client(own.site()).get("/api/v1/me", bearer(token)).json()["data"]["email"] == user.email);

    const auto workers = own.workers();
    BOOST_TEST(make("up", variables).code == 0);
    BOOST_TEST(own.workers() == workers, boost::test_tools::per_element());

    BOOST_TEST(make("down", variables).code == 0);
    BOOST_TEST(left_of(own.state()) == "");
    BOOST_TEST(make("down", variables).code == 0);
}

BOOST_AUTO_TEST_CASE(up_on_a_port_in_use_says_so_in_one_line) {
    auto variables = own_stack_variables();
    const std::string folder = variables[0].substr(6) + ".other";
    variables[0] = "STATE=" + folder;
    const auto port = std::to_string(stack().site().port());
    const auto up = make("up", variables, port);
    BOOST_TEST(up.code != 0);
    std::string told;
    int lines = 0;
    std::istringstream errors(up.err);
    for (std::string line; std::getline(errors, line);)
        if (!line.starts_with("make")) {
            ++lines;
            told = line;
        }
    BOOST_TEST_CONTEXT(up.err) {
        BOOST_TEST(lines == 1);
        BOOST_TEST(told.find(port) != std::string::npos);
    }
    BOOST_TEST(left_of(folder) == "");
    BOOST_TEST(stack().answers());
    std::filesystem::remove_all(folder);
}

// A port that is bound and does not listen looks free, as one does that another program takes while the stack starts.
BOOST_AUTO_TEST_CASE(up_on_a_port_that_nginx_does_not_get_takes_another_one_or_says_so, *boost::unit_test::label("slow")) {
    const auto variables = own_stack_variables();
    const int before = own_stack().site().port();
    stop_own_stack();
    const HeldPort held(Listeners::none, before);
    const auto named = make("up", variables, std::to_string(before));
    BOOST_TEST(named.code != 0);
    BOOST_TEST_CONTEXT(named.err)
    BOOST_TEST(named.err.starts_with("stack: port " + std::to_string(before) + " is in use; choose another with PORT=\n"));
    BOOST_TEST(left_of(variables[0].substr(6)) == "");

    const auto up = make("up", variables, "auto");
    const Stack other(variables[0].substr(6));
    BOOST_TEST_CONTEXT(up.err) BOOST_TEST(up.code == 0);
    BOOST_TEST(other.site().port() != before);
    BOOST_TEST(other.answers());
    BOOST_TEST(other.config().http.base_url == other.site().url);
    BOOST_TEST(make("down", variables).code == 0);
}

BOOST_AUTO_TEST_CASE(up_without_room_for_a_database_says_so_in_one_line) {
    auto variables = own_stack_variables();
    const std::string folder = variables[0].substr(6) + ".small";
    variables[0] = "STATE=" + folder;
    // More than any disk has, so that no disk has to be filled.
    const auto up = make("up", variables, "auto", {{"DATABASE_SPACE", "1000000000"}});
    BOOST_TEST(up.code != 0);
    BOOST_TEST_CONTEXT(up.err) {
        BOOST_TEST(up.err.starts_with("stack: a database needs 1000000000 MB and the disk of " + folder + " has "));
        BOOST_TEST(up.err.find(" MB free; make room or name another STATE\n") != std::string::npos);
    }
    BOOST_TEST(left_of(folder) == "");
    std::filesystem::remove_all(folder);
}

// Also when the list has several lines.
BOOST_AUTO_TEST_CASE(up_with_proxies_that_are_no_addresses_says_so_in_one_line) {
    auto variables = own_stack_variables();
    const std::string folder = variables[0].substr(6) + ".proxies";
    variables[0] = "STATE=" + folder;
    std::filesystem::create_directory(folder);
    std::ofstream(folder + "/tradepost.toml") << "[http]\nbase_url = \"https://localhost\"\n"
                                                 "trusted_proxies = [\n  \"10.0.0.0/8\",\n  \"proxy.test\"\n]\n"
                                                 "[uploads]\ndirectory = \""
                                              << folder << "/uploads\"\n";
    const auto up = make("up", variables, "auto");
    BOOST_TEST(up.code != 0);
    BOOST_TEST_CONTEXT(up.err)
    BOOST_TEST(up.err.starts_with("stack: [http] trusted_proxies must be addresses or networks: 10.0.0.0/8 proxy.test\n"));
    BOOST_TEST(left_of(folder) == "");
    std::filesystem::remove_all(folder);
}

// A container that nothing has booted has an empty /run.
BOOST_AUTO_TEST_CASE(packages_are_installed_where_run_is_empty) {
    if (geteuid() != 0) {
        std::cerr << "SKIPPED stack_commands/packages_are_installed_where_run_is_empty: only root can mount over /run\n";
        return;
    }
    const auto done = run_command({"unshare", "--mount", "--propagation", "private", "sh", "-c",
                                   "mount -t tmpfs none /run && exec systemd/runit/install --as-root run"});
    BOOST_TEST(done.code == 0);
    BOOST_TEST(done.err == "");
}

BOOST_AUTO_TEST_SUITE_END()
