// What clients are told of an operation that will go.
#pragma once
#include "core/time.h"
#include "http/response.h"

namespace tradepost::http {

struct Deprecation {
    core::Time since;   // whole seconds
    core::Time sunset;  // from when on it may stop working
};

// Sets Deprecation (RFC 9745) and Sunset (RFC 8594), and adds the Link to what replaces the operation.
void add_deprecation(Response& response, const Deprecation& deprecation);

}  // namespace tradepost::http
