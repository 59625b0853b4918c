// Handlers of /notification_tokens.
#pragma once
#include "api/call.h"

namespace tradepost::notification_tokens {

http::Response register_notification_token(api::Call& call);

// The public key of the service, with which browsers subscribe.
http::Response get_key(api::Call& call);

}  // namespace tradepost::notification_tokens
