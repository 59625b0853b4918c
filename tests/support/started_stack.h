// Further stacks of the end-to-end tests, each started by `make run` when it is first needed.
#pragma once
#include <string>
#include <vector>

#include "support/stack.h"

namespace tradepost::test {

class StartedStack {
public:
    // `settings`: lines `section.key = value`. `prefix`: the command that starts make, if any.
    StartedStack(std::string folder, std::string settings, std::vector<std::string> prefix = {});

    // The running stack: starts it when it does not run. Throws std::runtime_error when it does not come up.
    Stack& get();
    // Presses Ctrl-C and returns `make run`'s exit status once it has ended; -1: it did not run.
    int stop();
    std::vector<std::string> variables() const;  // of `make` for it, KEY=VALUE

private:
    std::string folder_, settings_;
    std::vector<std::string> prefix_;
    Stack stack_;
    pid_t running_ = 0;  // make
};

}  // namespace tradepost::test
