// config check
#include "ctl/commands.h"
#include "ctl/output.h"

namespace tradepost::ctl {

void add_config_commands(CLI::App& app, Context& context) {
    auto* config = app.add_subcommand("config", "the configuration file");
    config->require_subcommand(1);
    on(config->add_subcommand("check", "read the configuration and say what is wrong with it"), context, [&context] {
        const auto& c = context.config();
        if (context.json)
            print({{"instance", c.instance}, {"path", c.path}, {"valid", true}});
        else
            std::cout << c.path << ": ok\n";
        return 0;
    });
}

}  // namespace tradepost::ctl
