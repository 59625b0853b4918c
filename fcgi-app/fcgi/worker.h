// The loop of a worker process. Only this folder includes libfcgi.
#pragma once
#include <chrono>
#include <functional>
#include <string>

#include "fcgi/idle.h"
#include "http/request.h"
#include "http/response.h"

namespace tradepost::fcgi {

// The name of this worker's pool: the stem of the socket's file name, "api" for /run/tradepost/shop/api.sock; "default" for a socket
// without a name.
std::string pool_name();

using Handler = std::function<http::Response(const http::Request&)>;

// How long a request may take; an empty one stands for those that do not say what they are.
using TimeAllowed = std::function<std::chrono::seconds(const http::Request&)>;

// Accepts FastCGI requests on file descriptor 0, one at a time, and answers each with handler(). Returns after SIGTERM, SIGINT, SIGHUP or
// SIGUSR1 or when `idle` says so, once the current request is answered. A request with an incomplete body never reaches the handler. A
// request that takes longer than `time_allowed` ends the process. Calls `settle` about once a second while there is no request, and once
// with true before it returns. Logs its start and end with the reason, and `config`, the path of the configuration. Returns the exit status, 0 or 1.
int run(const Handler& handler, const std::function<void(bool)>& settle, const TimeAllowed& time_allowed,
        const std::string& config, Idle idle);

}  // namespace tradepost::fcgi
