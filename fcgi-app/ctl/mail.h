// Mail as tradepostctl uses it.
#pragma once
#include "ctl/commands.h"
#include "ctl/doctor/doctor.h"

namespace tradepost::ctl {

void add_mail_commands(Command app, Context& context);

// For doctor: whether letters can be written and sent; nothing without a mail server in the configuration.
void check_mail(Context& context, Report& report);

}  // namespace tradepost::ctl
