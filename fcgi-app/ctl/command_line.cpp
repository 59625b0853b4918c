#include "ctl/command_line.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "ctl/commands.h"

namespace tradepost::ctl {
namespace {

constexpr int failed = 1, wrong_usage = 2;

int fail(int code, const std::string& line) {
    std::cerr << "tradepostctl: " << line << "\n";
    return code;
}

// CLI11 words some faults over several lines, and none says where to read more.
int fail_usage(const std::exception& error) {
    return fail(wrong_usage, one_line(error, "") + "; see tradepostctl --help");
}

}  // namespace

int run(int argc, const char* const* argv) {
    Context context;
    CLI::App app("Administration of a Tradepost instance.", "tradepostctl");
    app.fallthrough();
    app.require_subcommand(1);
    app.add_option("--config", context.config_file, "the instance's configuration file")->type_name("FILE");
    app.add_option("--instance", context.instance, "the instance whose configuration is /etc/tradepost/NAME.toml")
        ->type_name("NAME");
    app.add_flag("--json", context.json, "print the result as one JSON document");
    const Command commands(app);
    add_schema_commands(commands, context);
    add_doctor_command(commands, context);
    add_prune_command(commands, context);
    add_recount_command(commands, context);
    add_demo_command(commands, context);
    add_config_commands(commands, context);
    add_user_commands(commands, context);
    add_organisation_commands(commands, context);
    add_token_commands(commands, context);
    add_import_command(commands, context);
    add_export_command(commands, context);

    std::string config_path;
    try {
        app.parse(argc, argv);
        config_path = context.config_file.empty() && context.instance.empty() ? "" : context.config_path();
        const int code = context.action();
        if (!std::cout.flush()) return fail(failed, "standard output could not be written");
        return code;
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        return fail_usage(error);
    } catch (const WrongUsage& error) {
        return fail_usage(error);
    } catch (const std::exception& error) {
        return fail(failed, one_line(error, config_path));
    }
}

}  // namespace tradepost::ctl
