// A new password for whoever forgot theirs: /dashboard/api/reset.
#pragma once
#include "api/call.h"

namespace tradepost::dashboard {

// POST {email}: 200 at the same cost whether there is such a user or not: the letter's sender looks for one. 409 without a mail server.
http::Response request_reset(api::Call& call);

// PUT {password, revokeTokens?} with the token of a letter: 200; 404 for one that is unknown, expired or used.
http::Response reset_password(api::Call& call);

}  // namespace tradepost::dashboard
