// Every answer that tests get, for the comparison with openapi.yaml (tests/contract/answers.py).
#pragma once
#include <string>

#include "http/request.h"
#include "http/response.h"

namespace tradepost::test {

// Appends one line to the file that TRADEPOST_TEST_ANSWERS names, in one write; nothing without it. `origin`: what the line is
// told by when it is wrong.
void log_answer(const http::Request& request, const http::Response& response, const std::string& origin);

}  // namespace tradepost::test
