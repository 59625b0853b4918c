// Handlers of /dashboard/api, which the dashboard uses beside /api/v1. They accept a session but no API token.
#pragma once
#include "api/call.h"

namespace tradepost::dashboard {

// The session's user, the value of X-CSRF-Token, and when the session ends without further use.
http::Response get_session(api::Call& call);

// POST {email, password, code?}: 201 with the same and the cookie of a new session; the client's old session ends. 401 whatever is wrong with
// the credentials; 403 for a page of another origin.
http::Response begin_session(api::Call& call);

// Ends the session and clears the cookie and what the browser keeps of this site.
http::Response end_session(api::Call& call);

// POST {password}: 200 as get_session(). From then on the session may for a while what check_confirmed() guards.
http::Response confirm_password(api::Call& call);

// For routes that give lasting access: throws 403 when the password was not typed within identity::confirmation_lifetime.
void check_confirmed(api::Call& call);

// The user's active sessions, the one that was used last first.
http::Response list_sessions(api::Call& call);

// Ends one of the user's sessions; 404 when it is none. Its own, as end_session().
http::Response end_session_by_id(api::Call& call);

// Ends all of the user's sessions but this one.
http::Response end_other_sessions(api::Call& call);

// PUT {currentPassword, newPassword, revokeTokens?}: 200 as begin_session(). All of the user's other sessions end.
http::Response change_password(api::Call& call);

// The user's active tokens, newest first. At the limit a new one deletes the last one.
http::Response list_tokens(api::Call& call);

// POST {name}: 201 with the token, whose value is shown only here.
http::Response mint_token(api::Call& call);

// 404 when the id is not that of an active token of the user.
http::Response revoke_token_by_id(api::Call& call);

// ?stockId or ?jobId of the user's organisations: who changed it, and what, the last first. A list with pages.
http::Response get_history(api::Call& call);

// The state of the user's second factor, and the organisations that the user is an ADMIN of.
http::Response get_second_factor(api::Call& call);

// POST: 201 with a secret for an authenticator app, which waits for its first code. 409 when there is a second factor.
http::Response begin_second_factor(api::Call& call);

// PUT {code}: 200 with recovery codes, which are shown only here.
http::Response enable_second_factor(api::Call& call);

// 409 when an organisation requires it of this ADMIN.
http::Response remove_second_factor(api::Call& call);

// POST: 201 with new recovery codes in place of the old ones. 409 without a second factor.
http::Response renew_recovery_codes(api::Call& call);

// PUT {required} by an ADMIN of the organisation: whether it requires a second factor of its ADMINs. 409 when the caller has none.
http::Response require_second_factor(api::Call& call);

// What waits for the organisation `organisationId`: totals of its lists, the oldest unanswered enquiry, how long replies took.
http::Response get_overview(api::Call& call);

}  // namespace tradepost::dashboard
