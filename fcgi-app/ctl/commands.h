// The command groups, one file each. Every function adds its commands to the command line; their callbacks set Context::action.
#pragma once
#include <CLI/CLI.hpp>

#include "ctl/context.h"
#include "db/migrations.h"

namespace tradepost::ctl {

void add_schema_commands(CLI::App& app, Context& context);  // migrate, status
void add_doctor_command(CLI::App& app, Context& context);
void add_prune_command(CLI::App& app, Context& context);
void add_recount_command(CLI::App& app, Context& context);
void add_demo_command(CLI::App& app, Context& context);
void add_config_commands(CLI::App& app, Context& context);
void add_user_commands(CLI::App& app, Context& context);
void add_organisation_commands(CLI::App& app, Context& context);
void add_token_commands(CLI::App& app, Context& context);
void add_import_command(CLI::App& app, Context& context);
void add_export_command(CLI::App& app, Context& context);

// Throws Failure, which says what to do, unless the schema is that of this program.
void require_current(const db::SchemaState& state);

// Makes `command` one that does something: `run` returns the exit code.
template <class Run>
void on(CLI::App* command, Context& context, Run run) {
    command->callback([&context, run] { context.action = run; });
}

}  // namespace tradepost::ctl
