// A request's body as JSON.
#pragma once
#include "http/request.h"
#include "json/value.h"

namespace tradepost::api {

enum class Coding { identity, gzip };

// How the body is encoded, by Content-Encoding. `accepted` is what the route takes besides plain bytes. Throws 415 for everything else, with
// Accept-Encoding (RFC 9110, section 12.5.3).
Coding content_coding(const http::Request& request, Coding accepted = Coding::identity);

// Throws 415 for a media type other than JSON's (for PATCH also a merge patch's) and for any content coding, 413 for more than `limit` bytes.
void check_body(const http::Request& request, std::size_t limit);

// The object that the body holds. Throws 400 for invalid JSON and for any other root.
json::Json parse_body(const http::Request& request);

}  // namespace tradepost::api
