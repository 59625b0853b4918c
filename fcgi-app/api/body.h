// The JSON body of a request, checked in the contract's order: media type, size, syntax, object.
#pragma once
#include "http/request.h"
#include "json/parse.h"

namespace tradepost::api {

// Throws 415, 413 or 400. `limit` in bytes.
json::Json read_body(const http::Request& request, std::size_t limit);

}  // namespace tradepost::api
