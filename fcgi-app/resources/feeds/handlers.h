// For nginx alone, which asks before it accepts the body of a feed.
#pragma once
#include "api/call.h"

namespace tradepost::feeds {

// 200 when the caller may send a body of this length now; 403 for others.
http::Response check_feed(api::Call& call);

}  // namespace tradepost::feeds
