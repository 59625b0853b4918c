// /api/v1/accounts: an organisation as its members see and change it.
#pragma once
#include "api/call.h"

namespace tradepost::api {

http::Response get_account(Call& call);
http::Response change_account(Call& call);

}  // namespace tradepost::api
