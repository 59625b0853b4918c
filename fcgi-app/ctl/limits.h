// Organisations beyond their limits, which commands of the operator may exceed.
#pragma once
#include <string_view>

#include "ctl/context.h"
#include "writes/room.h"

namespace tradepost::ctl {

// Prints one line to standard error if the organisation has more than it may.
void tell_of_limit(Context& context, writes::Things things, const core::Uuid& organisation_id);

// The same of all organisations, after an import of `kind`, such as "jobs". Kinds without a limit print nothing.
void tell_of_limits(Context& context, std::string_view kind);

}  // namespace tradepost::ctl
