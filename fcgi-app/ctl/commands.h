// The command groups, one file each. Every function adds its commands to the command line.
#pragma once
#include "ctl/command.h"
#include "ctl/context.h"
#include "db/migrations.h"

namespace tradepost::ctl {

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

// Throws Failure, which says what to do, unless the schema is that of this program.
void require_current(const db::SchemaState& state);

}  // namespace tradepost::ctl
