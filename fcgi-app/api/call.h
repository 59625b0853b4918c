// The call of a handler.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/body.h"
#include "api/services.h"
#include "api/test_fault.h"
#include "core/present.h"
#include "http/error.h"
#include "http/query.h"
#include "http/request.h"
#include "identity/authenticator.h"
#include "json/value.h"
#include "limits/cost.h"
#include "limits/limiter.h"

namespace tradepost::api {

struct Route;  // api/route.h

// A request on its way: what its handler reads, and what is told of it afterwards, in headers and the log, when it fails as well.
struct Call {
    Services& services;
    const http::Request& request;
    std::string id;  // X-Request-Id

    const Route* route = nullptr;              // once it is found, not of OPTIONS
    std::string pattern = "-";                 // its path
    std::string allow = {};                    // the methods of that path
    std::vector<std::string> parameters = {};  // of the path, decoded
    http::Query query = {};
    std::optional<identity::Principal> principal = {};  // never empty if the route's access is neither open nor optional

    bool open_to_all = false;                                // a public read, or its preflight
    std::optional<identity::TokenFault> ignored_token = {};  // on a public route, which answers without the token
    std::optional<limits::Verdict> verdict = {};
    limits::Cost cost = limits::Cost::cheap;     // what it was admitted for
    core::milliseconds waited{};                 // for a worker and for its share
    std::string failure = {};                    // the reason for the log
    std::string_view code = {};                  // of the error, http/error_codes.h
    std::vector<http::Fault> faults = {};        // what was wrong with the request
    std::optional<TestFault> fault = {};         // for the tests of the caller's program
    std::optional<core::Uuid> observation = {};  // in a running examination

    // Who sent the request, on routes that demand a credential or a session; throws std::logic_error on others.
    const identity::Principal& caller() const { return core::present(principal); }
    const identity::Session& session() const { return core::present(caller().session); }

    // The JSON object of a route that takes a body, parsed at the first call: errors that a handler throws before that call come
    // before the errors of the JSON. Throws as parse_body().
    json::Json& body();
    std::shared_ptr<json::Json> parsed_body = {};  // body()'s own
};

}  // namespace tradepost::api
