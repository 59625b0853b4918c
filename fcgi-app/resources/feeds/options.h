// What the query of a feed says.
#pragma once
#include "api/call.h"

namespace tradepost::feeds {

struct Options {
    core::Uuid organisation_id;
    bool complete = false;       // what the feed does not name is archived
    bool skip_failures = false;  // else one bad line changes nothing
    bool dry_run = false;
};

// Throws 400 for an unknown value, and as api::queried_organisation().
Options read_options(const api::Call& call);

// For the route table: the same before anything about the body.
void check_options(api::Call& call);

}  // namespace tradepost::feeds
