// An HTTP response, as handlers return it.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/time.h"

namespace tradepost::http {

struct Response {
    int status = 200;
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers;
    // The rest of a body that is too long to be held: the next piece, empty at the end. It is called until then or not at all. What it throws
    // breaks the response off, so that the client sees that it is not whole. A thread calls it that may outlive the request: it must use
    // nothing that belongs to the worker.
    std::function<std::string()> more;
    // Work after the response, for which the client does not wait. Must not throw.
    std::function<void()> after;
    // Set instead of an answer while the request waits for its share of the workers: the worker serves others and calls it again soon. The request must
    // live until then.
    std::function<Response()> resume;

    // Sets or replaces.
    void set(std::string_view name, std::string value);
    // Sets, or appends to an existing comma-separated list.
    void add_to_list(std::string_view name, std::string_view item);
    std::optional<std::string_view> header(std::string_view name) const;  // name compared without case
};

// "Not Found" for 404 (RFC 9110, section 15); empty for a status that the API does not use.
std::string_view reason(int status);

// {"data": …} around an already rendered JSON value.
Response data(std::string_view json, int status = 200);

// {"error": "…"}.
Response failure(int status, std::string_view text);

// What clients are told of an operation that will go.

struct Deprecation {
    core::Time since;   // whole seconds
    core::Time sunset;  // from when on it may stop working
};

// Sets Deprecation (RFC 9745) and Sunset (RFC 8594), and adds the Link to what replaces the operation.
void add_deprecation(Response& response, const Deprecation& deprecation);

}  // namespace tradepost::http
