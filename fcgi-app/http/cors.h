// Cross-origin requests from browsers (the Fetch standard, section 3.2).
#pragma once
#include <string>
#include <vector>

#include "http/request.h"
#include "http/response.h"

namespace tradepost::http {

// Adds the headers that let a page of another origin read the response: any origin for `open_to_all`, else those of
// `allowed_origins`, compared exactly. For a preflight also the permitted methods (`allow`) and headers.
void add_cors(Response& response, const Request& request, bool open_to_all, const std::vector<std::string>& allowed_origins,
              const std::string& allow);

}  // namespace tradepost::http
