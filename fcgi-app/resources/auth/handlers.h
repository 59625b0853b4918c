// Handlers of /api/v1/auth: tokens for email and password.
#pragma once
#include <string>

#include "api/call.h"

namespace tradepost::auth {

// POST: 200 with the token, and its expiry in X-Token-Expires-At; 401 whatever is wrong.
http::Response exchange_token(api::Call& call);

// DELETE: revokes the token of the request.
http::Response revoke_token(api::Call& call);

// The email of a sign-in's body as the key of its rate limit: email_key(). Empty when `body` has no valid one.
std::string limit_key(const json::Json* body);

}  // namespace tradepost::auth
