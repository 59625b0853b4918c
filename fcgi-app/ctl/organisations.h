// The longer commands of `org`.
#pragma once
#include <string>

#include "ctl/context.h"

namespace tradepost::ctl {

// org show: everything about one organisation.
int show_organisation(Context& context, const std::string& slug);

// org remove. Without `yes` it refuses an organisation that has stock or has published something, and asks before it removes another one.
int remove_organisation(Context& context, const std::string& slug, bool yes);

}  // namespace tradepost::ctl
