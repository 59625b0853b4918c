// /dashboard/api: what the dashboard's pages need beside /api/v1. A session opens these routes, an API token does not.
#pragma once
#include "api/call.h"

namespace tradepost::api {

// The session's user, the value that X-CSRF-Token must have, and when the session ends if nothing is done.
http::Response get_session(Call& call);

// POST {email, password}: 201 with the same and the cookie of a new session; the one that the client came with ends. 401 whatever
// it is that does not fit; 403 for a page of another origin.
http::Response begin_session(Call& call);

// Ends it, and takes the cookie from the browser.
http::Response end_session(Call& call);

// PUT {currentPassword, newPassword, revokeTokens?}: 200 as begin_session(). All of the user's other sessions end.
http::Response change_password(Call& call);

// The user's active tokens, newest first: when a mint would exceed the limit, the last one goes.
http::Response list_tokens(Call& call);

// POST {name}: 201 with the token, whose value is shown this once.
http::Response mint_token(Call& call);

// 404 for what is not an active token of the user.
http::Response revoke_token_by_id(Call& call);

}  // namespace tradepost::api
