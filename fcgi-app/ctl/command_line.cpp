#include "ctl/command_line.h"

#include <pwd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <string_view>

#include "audit/record.h"
#include "ctl/commands.h"
#include "ctl/doctor/doctor.h"
#include "ctl/mail.h"
#include "ctl/push.h"
#include "db/health.h"

namespace tradepost::ctl {
namespace {

constexpr int failed = 1, wrong_usage = 2;

// Reports why a command ended. Icinga reads standard output and has exit codes of its own, also for options that are wrong.
class Failing {
public:
    Failing(int argc, const char* const* argv)
        : icinga_(std::find(argv, argv + argc, std::string_view("--icinga")) != argv + argc) {}
    int fail(int code, const std::string& line) const {
        if (icinga_) return print_unknown_for_icinga(line);
        std::cerr << "tradepostctl: " << line << "\n";
        return code;
    }
    // CLI11 words some faults over several lines, and none says where to read more.
    int fail_usage(const std::exception& error) const {
        return fail(wrong_usage, one_line(error, "") + "; see tradepostctl --help");
    }

private:
    bool icinga_;
};

// Who runs the command: the name, or the number of a user without one.
std::string unix_user() {
    const auto* const user = getpwuid(geteuid());
    return user ? user->pw_name : std::to_string(geteuid());
}

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

void Command::list(const std::string& name, std::vector<std::string>& into, const std::string& help,
                   const std::string& placeholder) const {
    app_->add_option(name, into, help)->type_name(placeholder)->delimiter(',')->allow_extra_args(false);
}

void Command::flag(const std::string& name, bool& into, const std::string& help) const {
    app_->add_flag(name, into, help);
}

void on(Command command, Context& context, std::function<int()> run) {
    command.app_->callback([&context, run] { context.action = run; });
}

int run(int argc, const char* const* argv) {
    Context context;
    CLI::App app("Administration of a Tradepost instance.", "tradepostctl");
    app.fallthrough();
    app.require_subcommand(1);
    app.add_option("--config", context.config_file, "the instance's configuration file")->type_name("FILE");
    app.add_option("--instance", context.instance, "the instance whose configuration is /etc/tradepost/NAME.toml")
        ->type_name("NAME");
    app.add_flag("--json", context.json, "print the result as one JSON document");
    app.set_version_flag("--version", db::version_line("tradepostctl"), "print the version, and the schema that it needs");
    const Command commands(app);
    add_schema_commands(commands, context);
    add_doctor_command(commands, context);
    add_prune_command(commands, context);
    add_recount_command(commands, context);
    add_reindex_command(commands, context);
    add_demo_command(commands, context);
    add_config_commands(commands, context);
    add_user_commands(commands, context);
    add_organisation_commands(commands, context);
    add_token_commands(commands, context);
    add_integration_commands(commands, context);
    add_mail_commands(commands, context);
    add_push_commands(commands, context);
    add_erase_command(commands, context);
    add_outbox_commands(commands, context);
    add_audit_command(commands, context);
    add_import_command(commands, context);
    add_export_command(commands, context);
    add_pseudonyms_command(commands, context);
    add_rehearsal_commands(commands, context);
    add_routes_command(commands, context);

    const Failing failing(argc, argv);
    std::string config_path;
    try {
        app.parse(argc, argv);
        config_path = context.config_file.empty() && context.instance.empty() ? "" : context.config_path();
        const audit::Acting acting({.actor = "ctl:" + unix_user()});
        const int code = context.action();
        if (!std::cout.flush()) return failing.fail(failed, "standard output could not be written");
        return code;
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        return failing.fail_usage(error);
    } catch (const WrongUsage& error) {
        return failing.fail_usage(error);
    } catch (const std::exception& error) {
        return failing.fail(failed, one_line(error, config_path));
    }
}

}  // namespace tradepost::ctl
