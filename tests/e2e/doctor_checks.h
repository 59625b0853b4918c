// tradepostctl doctor on the stack for fault injection.
#pragma once
#include <sstream>

#include "e2e/checks.h"
#include "support/fault_injection.h"

namespace tradepost::test {

using Lines = std::vector<std::string>;

inline Finished doctor(const Lines& options = {}) {
    Lines command{"doctor"};
    command.insert(command.end(), options.begin(), options.end());
    return fault_injection_stack().ctl(command);
}

// What it complains of, a line each.
inline Lines complaints(const Finished& done) {
    Lines found;
    std::istringstream lines(done.out);
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with("ok   ")) found.push_back(line);
    return found;
}

// In the whole output, and nothing else. The exit status follows from them.
inline void check_complaints(const Lines& expected, const Lines& options = {}) {
    const auto done = doctor(options);
    const auto fails = [](const auto& line) { return line.starts_with("FAIL"); };
    BOOST_TEST(done.code == int(std::any_of(expected.begin(), expected.end(), fails)));
    BOOST_TEST(done.err == "");
    BOOST_TEST(complaints(done) == expected, boost::test_tools::per_element());
    if (complaints(done) != expected) BOOST_TEST_MESSAGE(done.out);
}

inline std::string in_state(const std::string& name) {
    return fault_injection_stack().state() + "/" + name;
}

}  // namespace tradepost::test
