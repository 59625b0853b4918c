// Handlers of /api/v1/accounts/integrations: programs of the organisation, and their tokens. For ADMINs.
#pragma once
#include "api/call.h"

namespace tradepost::accounts {

// With their active tokens, without the values of these.
http::Response list_integrations(api::Call& call);

// POST {name}: 201; 409 when there are too many.
http::Response create_integration(api::Call& call);

// Its tokens end at once.
http::Response delete_integration(api::Call& call);

// check_admin(), and for a session dashboard::check_confirmed().
void check_may_mint(api::Call& call);

// POST {name, scopes?}: 201 with the token, whose value is shown only here, so an Idempotency-Key is not looked at.
http::Response mint_integration_token(api::Call& call);

http::Response revoke_integration_token(api::Call& call);

}  // namespace tradepost::accounts
