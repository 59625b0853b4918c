// /api/v1/me: who the token belongs to.
#pragma once
#include "api/call.h"

namespace tradepost::api {

http::Response get_me(Call& call);

}  // namespace tradepost::api
