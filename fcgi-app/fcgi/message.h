// Between libfcgi's streams and the API's requests and responses.
#pragma once
#include <fcgiapp.h>

#include <optional>

#include "http/request.h"
#include "http/response.h"

namespace tradepost::fcgi {

// The longest body that is read into memory; routes have lower limits of their own. Bytes.
inline constexpr std::size_t max_body = 12 << 20;

// The request with its whole body; empty when the body did not arrive whole, because the client or nginx gave up.
std::optional<http::Request> read_request(FCGX_Request& exchange);

// Sends one CGI response (RFC 3875, section 6) in one write where the socket takes it, and ends the exchange: it may be accepted
// into again. Never waits for the web server to close its side, unless it may still be sending.
void write_response(FCGX_Request& exchange, const http::Response& response);

}  // namespace tradepost::fcgi
