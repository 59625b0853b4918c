// The loop of a worker process: the only folder that includes libfcgi.
#pragma once
#include <chrono>
#include <functional>
#include <string>

#include "http/request.h"
#include "http/response.h"

namespace tradepost::fcgi {

// The pool that this process serves: the stem of the listening socket's file name, "api" of /run/tradepost/shop/api.sock; "default"
// for a socket without one.
std::string pool_name();

using Handler = std::function<http::Response(const http::Request&)>;

// Accepts FastCGI requests on file descriptor 0, one at a time, and answers each with handler(). Returns after SIGTERM, SIGINT,
// SIGHUP or SIGUSR1, when the request under way is answered. A request whose body does not arrive whole never reaches the handler. A request that
// takes longer than `deadline` ends the process: whoever supervises it starts another. Logs start and end with their reasons; `config` is the
// file that the worker runs by. Returns the exit status, 0 or 1.
int run(const Handler& handler, std::chrono::seconds deadline, const std::string& config);

}  // namespace tradepost::fcgi
