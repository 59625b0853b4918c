// Invitations of people to an organisation: /api/v1/accounts/invitations.
#pragma once
#include "api/call.h"

namespace tradepost::accounts {

// For ADMINs: those that are open, the newest first.
http::Response list_invitations(api::Call& call);

// POST {email, role} by an ADMIN: 201, and a letter goes out. An address that is invited already gets another letter, and the role.
http::Response create_invitation(api::Call& call);

// Its link no longer works.
http::Response withdraw_invitation(api::Call& call);

}  // namespace tradepost::accounts
