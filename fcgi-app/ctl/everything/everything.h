// export all, import all: a whole instance as a folder of files, to move it to another host or to leave.
#pragma once
#include "ctl/commands.h"

namespace tradepost::ctl::everything {

void add_export_command(Command exports, Context& context);
void add_import_command(Command imports, Context& context);

}  // namespace tradepost::ctl::everything
