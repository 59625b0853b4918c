// Handlers of /api/v1/accounts: the organisation as its members see and change it.
#pragma once
#include "api/call.h"

namespace tradepost::accounts {

http::Response get_account(api::Call& call);
http::Response change_account(api::Call& call);

// Before anything about the body of change_account() is looked at. Throws 400 when the query names no organisation and the caller
// has several, 404 when they are no member of it, 403 when they are not its ADMIN.
void check_admin(api::Call& call);

}  // namespace tradepost::accounts
