// An HTTP response, as handlers return it.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tradepost::http {

struct Response {
    int status = 200;
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers;
    // The rest of a body that is too long to be held: the next piece, empty at the end. It is called until then or not at all. What it throws
    // breaks the response off, so that the client sees that it is not whole.
    std::function<std::string()> more;
    // Work after the response, for which the client does not wait. Must not throw.
    std::function<void()> after;

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

}  // namespace tradepost::http
