// The loop of a worker process: the only folder that includes libfcgi.
#pragma once
#include <chrono>
#include <functional>

#include "http/request.h"
#include "http/response.h"

namespace tradepost::fcgi {

using Handler = std::function<http::Response(const http::Request&)>;

// Accepts FastCGI requests on file descriptor 0, one at a time, and answers each with handler(). Returns after SIGTERM, SIGINT,
// SIGHUP or SIGUSR1, when the request under way is answered. A request whose body does not arrive whole never reaches the handler. A request that
// takes longer than `deadline` ends the process: whoever supervises it starts another. Returns the exit status, 0 or 1.
int run(const Handler& handler, std::chrono::seconds deadline);

}  // namespace tradepost::fcgi
