// /me: the user of the token or the session.
#pragma once
#include "api/call.h"
#include "json/writer.h"

namespace tradepost::me {

http::Response get_me(api::Call& call);

// The user's active tokens, newest first, without their values.
http::Response list_my_tokens(api::Call& call);

// 404 when the id is not that of an active token of the user.
http::Response revoke_my_token(api::Call& call);

// Writes the members of a user into an open object: id, email, name, createdAt, organisations.
void write_user(json::Writer& writer, api::Call& call, const identity::Principal& principal);

}  // namespace tradepost::me
