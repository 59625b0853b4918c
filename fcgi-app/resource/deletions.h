// GET /stock/deletions and its like: what is left of items that are gone.
#pragma once
#include "api/call.h"

namespace tradepost::resource {

// `collection`: as `.name` of a description.
http::Response list_deletions(api::Call& call, std::string_view collection);

}  // namespace tradepost::resource
