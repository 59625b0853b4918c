#include "fcgi/message.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace tradepost::fcgi {
namespace {

std::string_view parameter(const FCGX_Request& exchange, const char* name) {
    const char* value = FCGX_GetParam(name, exchange.envp);
    return value ? value : "";
}

// HTTP_IF_NONE_MATCH is if-none-match (RFC 3875, section 4.1.18).
std::string header_name(std::string_view variable) {
    std::string name(variable.substr(5));
    for (char& c : name) c = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    return name;
}

// Fields of one name are one list (RFC 9110, section 5.3); cookies are joined as RFC 6265, section 5.4, does. nginx passes
// such fields one by one before 1.23. Sorted, for a client may send thousands.
void join_same_names(std::vector<std::pair<std::string, std::string>>& headers) {
    std::stable_sort(headers.begin(), headers.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::size_t last = 0;
    for (std::size_t i = 1; i < headers.size(); ++i) {
        if (headers[i].first == headers[last].first)
            headers[last].second.append(headers[i].first == "cookie" ? "; " : ", ").append(headers[i].second);
        else if (++last != i)
            headers[last] = std::move(headers[i]);
    }
    if (!headers.empty()) headers.resize(last + 1);
}

void read_headers(const FCGX_Request& exchange, http::Request& request) {
    for (char** entry = exchange.envp; *entry; ++entry) {
        const std::string_view variable(*entry);
        // Web servers pass these two as HTTP_… as well as under the names of RFC 3875.
        if (!variable.starts_with("HTTP_")) continue;
        if (variable.starts_with("HTTP_CONTENT_TYPE=") || variable.starts_with("HTTP_CONTENT_LENGTH=")) continue;
        const auto equals = variable.find('=');
        if (equals != std::string_view::npos) request.headers.emplace_back(header_name(variable.substr(0, equals)), variable.substr(equals + 1));
    }
    join_same_names(request.headers);
    if (const auto type = parameter(exchange, "CONTENT_TYPE"); !type.empty()) request.headers.emplace_back("content-type", type);
}

}  // namespace

std::optional<http::Request> read_request(FCGX_Request& exchange) {
    http::Request request;
    request.method = parameter(exchange, "REQUEST_METHOD");
    request.target = parameter(exchange, "REQUEST_URI");
    request.client_address = parameter(exchange, "REMOTE_ADDR");
    read_headers(exchange, request);
    // No header can name it: those begin with HTTP_.
    request.body_file = parameter(exchange, "REQUEST_BODY_FILE");

    const auto announced = parameter(exchange, "CONTENT_LENGTH");
    std::size_t length = 0;
    if (!announced.empty()) {
        const auto [end, error] = std::from_chars(announced.data(), announced.data() + announced.size(), length);
        if (error != std::errc() || end != announced.data() + announced.size()) return {};
    }
    if (length > max_body) {
        request.body_too_large = true;
        return request;
    }
    request.body.resize(length);
    std::size_t have = 0;
    while (have < length) {
        const int got = FCGX_GetStr(request.body.data() + have, int(length - have), exchange.in);
        if (got <= 0) break;
        have += std::size_t(got);
    }
    // An aborted request looks like a short body (error -3), so both are checked before anybody acts on it.
    if (have != length || FCGX_GetError(exchange.in) != 0) return {};
    return request;
}

void write_response(FCGX_Request& exchange, const http::Response& response) {
    std::string message = "Status: " + std::to_string(response.status) + " " + std::string(http::reason(response.status)) + "\r\n";
    message.reserve(1024 + response.body.size());
    for (const auto& [name, value] : response.headers) message.append(name).append(": ").append(value).append("\r\n");
    message.append("\r\n").append(response.body);
    // A failure means that the client has gone; there is nobody left to tell.
    FCGX_PutStr(message.data(), int(message.size()), exchange.out);
}

}  // namespace tradepost::fcgi
