// /me: the user of the token or the session.
#pragma once
#include "api/call.h"
#include "json/writer.h"

namespace tradepost::me {

// Writes the members of a user into an open object: id, email, name, createdAt, organisations.
void write_user(json::Writer& writer, api::Call& call, const identity::Principal& principal);

}  // namespace tradepost::me
