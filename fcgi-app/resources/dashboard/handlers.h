// Handlers of /dashboard/api, which the dashboard uses beside /api/v1. They accept a session but no API token.
#pragma once
#include "api/call.h"

namespace tradepost::dashboard {

// The session's user, the value of X-CSRF-Token, and when the session ends without further use.
http::Response get_session(api::Call& call);

// POST {email, password}: 201 with the same and the cookie of a new session; the client's old session ends. 401 whatever is wrong with
// the credentials; 403 for a page of another origin.
http::Response begin_session(api::Call& call);

// Ends the session and clears the cookie.
http::Response end_session(api::Call& call);

// PUT {currentPassword, newPassword, revokeTokens?}: 200 as begin_session(). All of the user's other sessions end.
http::Response change_password(api::Call& call);

// The user's active tokens, newest first. At the limit a new one deletes the last one.
http::Response list_tokens(api::Call& call);

// POST {name}: 201 with the token, whose value is shown only here.
http::Response mint_token(api::Call& call);

// 404 when the id is not that of an active token of the user.
http::Response revoke_token_by_id(api::Call& call);

}  // namespace tradepost::dashboard
