// /api/v1/auth: tokens for email and password.
#pragma once
#include <string>

#include "api/call.h"

namespace tradepost::api {

// POST: 200 with the token, its end in X-Token-Expires-At; 401 whatever it is that does not fit.
http::Response exchange_token(Call& call);

// DELETE: revokes the token that the request was made with.
http::Response revoke_token(Call& call);

// The email of a sign-in's body as rate limits count it: as addresses compare. Empty when `body` has no usable one.
std::string limit_key(const json::Json* body);

}  // namespace tradepost::api
