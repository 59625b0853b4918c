// A request's body as JSON.
#pragma once
#include "http/request.h"
#include "json/value.h"

namespace tradepost::api {

// Throws 415 for a media type other than JSON's (for PATCH also a merge patch's), 413 for more than `limit` bytes.
void check_body(const http::Request& request, std::size_t limit);

// The object that the body holds. Throws 400 for invalid JSON and for any other root.
json::Json parse_body(const http::Request& request);

}  // namespace tradepost::api
