// /api/v1/me: who the token or the session belongs to.
#pragma once
#include "api/call.h"
#include "json/writer.h"

namespace tradepost::api {

http::Response get_me(Call& call);

// The members of a user in an object that was begun: id, email, name, createdAt, organisations.
void write_user(json::Writer& writer, Call& call, const auth::Principal& principal);

}  // namespace tradepost::api
