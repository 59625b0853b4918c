// Routes of /posts.
#pragma once
#include "api/call.h"

namespace tradepost::posts {

http::Response list_posts(api::Call& call);
http::Response get_post(api::Call& call);
http::Response get_post_facets(api::Call& call);
http::Response create_post(api::Call& call);
http::Response change_post(api::Call& call);
http::Response delete_post(api::Call& call);

}  // namespace tradepost::posts
