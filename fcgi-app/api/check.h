// nginx asks the routes below /check/ before it reads a body, so that a request that would be refused anyway fills no disk.
#pragma once
#include "api/call.h"
#include "http/error.h"
#include "http/response.h"

namespace tradepost::api {

// The paths that nginx asks: behind it comes what `/api/v1/` has.
inline constexpr std::string_view check_prefix = "/check/";

// nginx's auth_request knows 200, 401 and 403 alone, and drops the body: makes a 403 of what nginx can tell the client for us, and puts the
// answer into X-Refusal (its status) and X-Refusal-Body. nginx/snippets/errors.conf gives that answer, with the headers of refusal_headers.conf.
void refuse_for_nginx(http::Response& response, const http::ApiError& error);

// Throws 503 when all `places` for `key` in the uploads pool are taken (limits::Turns).
void check_turn(const Call& call, const std::string& key, int places);

// Throws 503 when `length` more bytes are more than uploads.spool_bytes allow.
void check_spool(const Call& call, std::uint64_t length);

}  // namespace tradepost::api
