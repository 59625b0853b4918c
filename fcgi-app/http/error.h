// The error type of requests, and the fixed errors of the API.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tradepost::http {

// Thrown by any function below App::handle, which turns it into {"error": external}. `external` goes to the client, `internal`
// (what()) to the log only. `headers` are added to the response.
class ApiError : public std::runtime_error {
public:
    using Headers = std::vector<std::pair<std::string, std::string>>;

    ApiError(int status_code, std::string external_text, std::string internal_text = {}, Headers extra = {})
        : std::runtime_error(internal_text), status(status_code), external(std::move(external_text)), headers(std::move(extra)) {}

    int status;
    std::string external;
    Headers headers;
};

// The fixed strings (API rules, "Errors").
inline ApiError invalid_query(std::string why = {}) {
    return {400, "Invalid query", std::move(why)};
}
inline ApiError invalid_search() {
    return {400, "Invalid search query"};
}
inline ApiError invalid_json(std::string why = {}) {
    return {400, "Invalid JSON body", std::move(why)};
}
inline ApiError invalid_field(const std::string& name, const std::string& why) {
    return {400, "Invalid field: " + name + ": " + why};
}
inline ApiError unknown_field(const std::string& name) {
    return {400, "Unknown field: " + name};
}
inline ApiError organisation_required() {
    return {400, "organisationId is required"};
}
inline ApiError unauthorized() {
    return {401, "Unauthorized", {}, {{"WWW-Authenticate", "Bearer"}}};
}
inline ApiError invalid_credentials() {
    return {401, "Invalid credentials"};
}
// Of sign-in with a second factor.
inline ApiError code_required() {
    return {401, "Code required"};
}
inline ApiError invalid_code() {
    return {401, "Invalid code"};
}
inline ApiError password_confirmation_required() {
    return {403, "Password confirmation required"};
}
inline ApiError forbidden() {
    return {403, "Forbidden"};
}
// Of a token, by RFC 6750, section 3.1. `scope` is the one that it lacks; none: no scope would be enough.
inline ApiError insufficient_scope(std::string_view scope) {
    auto challenge = std::string(R"(Bearer error="insufficient_scope")");
    if (!scope.empty()) challenge.append(R"(, scope=")").append(scope).append(R"(")");
    return {403, "Forbidden", "insufficient scope", {{"WWW-Authenticate", challenge}}};
}
inline ApiError not_found() {
    return {404, "Not found"};
}
inline ApiError conflict(const std::string& what) {
    return {409, "Conflict: " + what};
}
inline ApiError illegal_move(const std::string& from, const std::string& to) {
    return conflict("status cannot change from " + from + " to " + to);
}
inline ApiError precondition_failed() {
    return {412, "Precondition failed"};
}
inline ApiError body_too_large() {
    return {413, "Request body too large"};
}
inline ApiError unsupported_media_type() {
    return {415, "Content-Type must be application/json"};
}
inline ApiError key_of_another_request() {
    return {422, "Idempotency-Key was used with another request"};
}
inline ApiError internal_error(std::string why) {
    return {500, "Internal server error", std::move(why)};
}
inline ApiError search_unavailable(std::string why) {
    return {503, "Search unavailable", std::move(why), {{"Retry-After", "5"}}};
}
inline ApiError service_unavailable(std::string why) {
    return {503, "Service unavailable", std::move(why), {{"Retry-After", "5"}}};
}

}  // namespace tradepost::http
