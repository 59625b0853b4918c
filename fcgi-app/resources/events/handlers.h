// Routes of /events.
#pragma once
#include "api/call.h"

namespace tradepost::events {

http::Response list_events(api::Call& call);
http::Response get_event(api::Call& call);
http::Response get_event_facets(api::Call& call);
http::Response create_event(api::Call& call);
http::Response change_event(api::Call& call);
http::Response delete_event(api::Call& call);

}  // namespace tradepost::events
