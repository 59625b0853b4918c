// For nginx alone, which asks before it accepts the body of a feed.
#pragma once
#include "api/call.h"

namespace tradepost::feeds {

// 200 when the caller may send a body of this length now. Throws what the feed would be told, and 503 while the organisation has feeds
// waiting or the disk is full.
http::Response check_feed(api::Call& call);

// The query of a feed.
inline constexpr std::string_view parameters[] = {"organisationId", "mode", "onError", "dryRun"};
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
