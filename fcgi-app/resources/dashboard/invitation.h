// Accepting an invitation with the link of its letter: /dashboard/api/invitation/{token}.
#pragma once
#include "api/call.h"

namespace tradepost::dashboard {

// What the invitation is to, and whether its address has an account. 404 for a token that is unknown, expired or used.
http::Response get_invitation(api::Call& call);

// POST {} by a session of the user with that address, or {name, password} for an address without an account: 200 with the organisation.
// 409 for the session of another user, or without a session when the address has an account.
http::Response accept_invitation(api::Call& call);

}  // namespace tradepost::dashboard
