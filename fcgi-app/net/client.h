// One HTTP request to an address that somebody else named. libcurl, and nothing of it in this header.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "net/address.h"

namespace tradepost::net {

// What an operator allows.
struct Rules {
    Networks allowed;     // beside the public addresses. To these http is allowed, too
    std::string ca_file;  // certificates of CAs; empty: the system's
};

struct Request {
    std::string url;
    std::vector<std::string> headers = {};         // "Name: value"
    std::optional<std::string> post = {};          // the body of a POST; empty: a GET
    std::chrono::milliseconds time_limit{10'000};  // from the resolution of the name to the last byte
    std::size_t most_bytes = 64 << 10;             // of the answer's body: more is a failure
    bool status_only = false;                      // only `said` is kept of the body, and what is beyond most_bytes not read
    std::vector<std::string> secrets = {};         // which `said` must not repeat, beside the address's path
};

struct Answer {
    int status = 0;
    std::string content_type, body;
    std::string said;                                 // how the body begins, for operators (core/said.h)
    std::optional<std::chrono::seconds> retry_after;  // from now on
    std::string failure;                              // empty after an answer; else why there is none, without the address
    std::string location;                             // the absolute address to which a redirect leads
    bool too_large = false;
    bool refused = false;  // the address is one that must not be reached: no further attempt helps until that changes
};

// The address that is connected to is checked, and not what the name resolved to a moment ago. No redirect is followed, no proxy of the
// environment used, no cookie kept. `status` counts for nothing when there is a `failure`. Thread-safe.
Answer perform(const Rules& rules, const Request& request);

}  // namespace tradepost::net
