// Cross-origin requests from browsers (the Fetch standard, section 3.2).
#pragma once
#include <string>
#include <vector>

#include "http/request.h"
#include "http/response.h"

namespace tradepost::http {

// Adds what lets a page of another origin read the answer: any origin for `open_to_all`, else those of `allowed_origins`, compared
// exactly. On a preflight also which methods (`allow`) and headers it may use.
void add_cors(Response& response, const Request& request, bool open_to_all, const std::vector<std::string>& allowed_origins, const std::string& allow);

}  // namespace tradepost::http
