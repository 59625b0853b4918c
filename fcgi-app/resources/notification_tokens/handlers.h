// Handler of POST /notification_tokens.
#pragma once
#include "api/call.h"

namespace tradepost::notification_tokens {

http::Response register_notification_token(api::Call& call);

}  // namespace tradepost::notification_tokens
