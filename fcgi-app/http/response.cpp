#include "http/response.h"

#include <strings.h>

#include <chrono>
#include <nlohmann/json.hpp>

namespace tradepost::http {

namespace {
bool same(std::string_view a, std::string_view b) {
    return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}
}  // namespace

void Response::set(std::string_view name, std::string value) {
    for (auto& [key, old] : headers)
        if (same(key, name)) {
            old = std::move(value);
            return;
        }
    headers.emplace_back(name, std::move(value));
}

void Response::add_to_list(std::string_view name, std::string_view item) {
    const auto old = header(name);
    set(name, old ? std::string(*old).append(", ").append(item) : std::string(item));
}

std::optional<std::string_view> Response::header(std::string_view name) const {
    for (const auto& [key, value] : headers)
        if (same(key, name)) return value;
    return {};
}

std::string_view reason(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 201:
            return "Created";
        case 304:
            return "Not Modified";
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 409:
            return "Conflict";
        case 412:
            return "Precondition Failed";
        case 413:
            return "Content Too Large";
        case 414:
            return "URI Too Long";
        case 415:
            return "Unsupported Media Type";
        case 416:
            return "Range Not Satisfiable";
        case 421:
            return "Misdirected Request";
        case 422:
            return "Unprocessable Content";
        case 429:
            return "Too Many Requests";
        case 500:
            return "Internal Server Error";
        case 502:
            return "Bad Gateway";
        case 503:
            return "Service Unavailable";
        case 504:
            return "Gateway Timeout";
        default:
            return "";
    }
}

Response data(std::string_view json, int status) {
    Response response;
    response.status = status;
    response.body.reserve(json.size() + 10);
    response.body.append("{\"data\":").append(json).append("}");
    return response;
}

Response failure(int status, std::string_view text) {
    Response response;
    response.status = status;
    response.body = nlohmann::json{{"error", text}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return response;
}

void add_deprecation(Response& response, const Deprecation& deprecation) {
    const auto since = std::chrono::floor<std::chrono::seconds>(deprecation.since).time_since_epoch().count();
    response.set("Deprecation", "@" + std::to_string(since));
    response.set("Sunset", core::to_http_date(deprecation.sunset));
    response.add_to_list("Link", "</docs/changelog>; rel=\"deprecation\"; type=\"text/html\"");
}

}  // namespace tradepost::http
