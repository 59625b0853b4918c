// One command of tradepostctl, or a group of them, while the command line is described. A facade of CLI11, whose header takes seconds to
// compile: only command_line.cpp includes it.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "ctl/context.h"

namespace CLI {
class App;
}

namespace tradepost::ctl {

class Command {
public:
    explicit Command(CLI::App& app) : app_(&app) {}

    Command add(const std::string& name, const std::string& help) const;
    Command add_group(const std::string& name, const std::string& help) const;  // one of its commands must follow

    // What is read goes to `into`, which must outlive the parsing. `name` begins with "--", or is an argument by its place;
    // `placeholder` stands for the value in the help.
    void option(const std::string& name, std::string& into, const std::string& help, const std::string& placeholder = "") const;
    void required(const std::string& name, std::string& into, const std::string& help, const std::string& placeholder = "") const;
    void number(const std::string& name, std::size_t& into, std::size_t least, std::size_t most) const;
    // May be repeated, and may hold several with commas between them.
    void list(const std::string& name, std::vector<std::string>& into, const std::string& help,
              const std::string& placeholder) const;
    void flag(const std::string& name, bool& into, const std::string& help) const;

private:
    friend void on(Command, Context&, std::function<int()>);
    CLI::App* app_;
};

// What the command does: `run` becomes Context::action, and returns the exit code.
void on(Command command, Context& context, std::function<int()> run);

}  // namespace tradepost::ctl
