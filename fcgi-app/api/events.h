// Routes of /events.
#pragma once
#include "api/call.h"

namespace tradepost::api {

http::Response list_events(Call& call);
http::Response get_event(Call& call);

}  // namespace tradepost::api
