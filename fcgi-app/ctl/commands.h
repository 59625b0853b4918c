// The commands of tradepostctl, as the command line is described. Every function below adds a group of them, which is a file or a folder.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "ctl/context.h"
#include "db/migrations.h"

namespace CLI {
class App;
}

namespace tradepost::ctl {

// One command, or a group of them. A facade of CLI11, whose header takes seconds to compile: only command_line.cpp includes it.
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

void add_schema_commands(Command app, Context& context);  // migrate, status
void add_doctor_command(Command app, Context& context);
void add_prune_command(Command app, Context& context);
void add_recount_command(Command app, Context& context);
void add_reindex_command(Command app, Context& context);
void add_demo_command(Command app, Context& context);
void add_config_commands(Command app, Context& context);
void add_user_commands(Command app, Context& context);
void add_organisation_commands(Command app, Context& context);
void add_token_commands(Command app, Context& context);
void add_erase_command(Command app, Context& context);
void add_integration_commands(Command app, Context& context);
void add_outbox_commands(Command app, Context& context);  // list, retry, drop
void add_audit_command(Command app, Context& context);
void add_import_command(Command app, Context& context);
void add_export_command(Command app, Context& context);
void add_pseudonyms_command(Command app, Context& context);
void add_rehearsal_commands(Command app, Context& context);  // documents, compare
void add_routes_command(Command app, Context& context);

// Checks the settings, as `config check` does. Throws ConfigError or Failure.
void check_settings(Context& context);

// Throws Failure, which says what to do, unless the schema is that of this program.
void require_current(const db::SchemaState& state);

}  // namespace tradepost::ctl
