// Push messages as tradepostctl uses them.
#pragma once
#include "ctl/commands.h"
#include "ctl/doctor/doctor.h"

namespace tradepost::ctl {

void add_push_commands(Command app, Context& context);

// For doctor: whether the files of [push] can be read and are what they should be; nothing without them.
void check_push(Context& context, Report& report);

}  // namespace tradepost::ctl
