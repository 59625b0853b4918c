// Handlers of /api/v1/auth: tokens for email and password.
#pragma once
#include <string>

#include "api/call.h"

namespace tradepost::auth {

// The email of a sign-in's body as the key of its rate limit: email_key(). Empty when `body` has no valid one.
std::string limit_key(const json::Json* body);

}  // namespace tradepost::auth
