// The user's own name and email: /dashboard/api/profile and /dashboard/api/email.
#pragma once
#include "api/call.h"

namespace tradepost::dashboard {

// PATCH {name}: 200 with the user as in get_session().
http::Response change_profile(api::Call& call);

// The address that waits for the link in its letter, or nulls.
http::Response get_email_change(api::Call& call);

// POST {email}: 200 as get_email_change(), whoever has the address: what the letter to it says is decided by its sender. The old address gets a
// letter, too. 409 without a mail server.
http::Response begin_email_change(api::Call& call);

// 404 when no address waits.
http::Response withdraw_email_change(api::Call& call);

// POST with the token of a letter: 200 with the user as in get_session(); 404 for one that is unknown, expired, used, or another user's.
http::Response finish_email_change(api::Call& call);

}  // namespace tradepost::dashboard
