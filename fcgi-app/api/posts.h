// Routes of /posts.
#pragma once
#include "api/call.h"

namespace tradepost::api {

http::Response list_posts(Call& call);
http::Response get_post(Call& call);

}  // namespace tradepost::api
