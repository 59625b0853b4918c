// POST /notification_tokens.
#pragma once
#include "api/call.h"

namespace tradepost::api {

http::Response register_notification_token(Call& call);

}  // namespace tradepost::api
