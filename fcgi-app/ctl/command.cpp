#include "ctl/command.h"

#include <CLI/CLI.hpp>

namespace tradepost::ctl {
namespace {

CLI::Option* add_option(CLI::App& app, const std::string& name, std::string& into, const std::string& help,
                        const std::string& placeholder) {
    auto* const option = app.add_option(name, into, help);
    if (!placeholder.empty()) option->type_name(placeholder);
    return option;
}

}  // namespace

Command Command::add(const std::string& name, const std::string& help) const {
    return Command(*app_->add_subcommand(name, help));
}

Command Command::add_group(const std::string& name, const std::string& help) const {
    auto* const group = app_->add_subcommand(name, help);
    group->require_subcommand(1);
    return Command(*group);
}

void Command::option(const std::string& name, std::string& into, const std::string& help, const std::string& placeholder) const {
    add_option(*app_, name, into, help, placeholder);
}

void Command::required(const std::string& name, std::string& into, const std::string& help,
                       const std::string& placeholder) const {
    add_option(*app_, name, into, help, placeholder)->required();
}

void Command::number(const std::string& name, std::size_t& into, std::size_t least, std::size_t most) const {
    app_->add_option(name, into)->type_name("N")->capture_default_str()->check(CLI::Range(least, most));
}

void Command::flag(const std::string& name, bool& into, const std::string& help) const {
    app_->add_flag(name, into, help);
}

void on(Command command, Context& context, std::function<int()> run) {
    command.app_->callback([&context, run] { context.action = run; });
}

}  // namespace tradepost::ctl
