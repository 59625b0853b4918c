// Routes of /posts.
#pragma once
#include "api/call.h"

namespace tradepost::posts {

http::Response list_posts(api::Call& call);
http::Response get_post(api::Call& call);
http::Response get_post_facets(api::Call& call);

}  // namespace tradepost::posts
