// Conversion between libfcgi's streams and the API's requests and responses.
#pragma once
#include <fcgiapp.h>

#include <optional>

#include "http/request.h"
#include "http/response.h"

namespace tradepost::fcgi {

// The longest body that is read into memory, in bytes; routes have lower limits of their own.
inline constexpr std::size_t max_body = 12 << 20;

// The request with its body; empty when the body is incomplete, because the client or nginx closed the connection.
std::optional<http::Request> read_request(FCGX_Request& exchange);

// Sends one CGI response (RFC 3875, section 6), in one write if the socket permits, and ends the exchange, which may then accept the
// next request. A thread sends the pieces of a long one (Response::more). Waits for the web server to close its side only if it may still be sending.
void write_response(FCGX_Request& exchange, const http::Response& response);

}  // namespace tradepost::fcgi
