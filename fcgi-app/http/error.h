// The error type of requests, and the fixed errors of the API.
#pragma once
#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/response.h"

namespace tradepost::http {

// What is wrong with one parameter of the query, or with one member of the body. The name is the client's text, the reason ours: ASCII that
// follows the name in a sentence.
struct Fault {
    std::string name, reason;
    bool is_parameter = false;
};

// Thrown by any function below App::handle, which turns it into {"error": external}. `external` goes to the client, `internal`
// (what()) to the log only. `headers` are added to the response. Every 401 has a challenge (RFC 9110, section 15.5.2): `Bearer` unless the
// headers name another one. Browsers ask for a password for Basic and its like alone, so this one opens no dialog of theirs.
class ApiError : public std::runtime_error {
public:
    using Headers = std::vector<std::pair<std::string, std::string>>;

    ApiError(int status_code, std::string external_text, std::string internal_text = {}, Headers extra = {})
        : std::runtime_error(internal_text), status(status_code), external(std::move(external_text)), headers(std::move(extra)) {
        const auto is_challenge = [](const auto& header) { return header.first == "WWW-Authenticate"; };
        if (status == 401 && std::none_of(headers.begin(), headers.end(), is_challenge))
            headers.emplace_back("WWW-Authenticate", "Bearer");
    }

    int status;
    std::string external;
    Headers headers;
    std::vector<Fault> faults = {};  // what is wrong with the request, the one that `external` names first
};

// The fixed strings (API rules, "Errors").
// Names the parameter in the header X-Invalid-Parameter as well: its name with all characters but the unreserved ones as %XX, then the reason.
ApiError invalid_query(std::string_view name, std::string reason);
inline ApiError invalid_search() {
    return {400, "Invalid search query"};
}
inline ApiError invalid_json(std::string why = {}) {
    return {400, "Invalid JSON body", std::move(why)};
}
ApiError invalid_field(const std::string& name, const std::string& why);
ApiError unknown_field(const std::string& name);
inline ApiError organisation_required() {
    return {400, "organisationId is required"};
}
inline ApiError unauthorized() {
    return {401, "Unauthorized"};
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
// The same request succeeds after `wait`, as far as is known.
inline ApiError too_many_requests(std::chrono::seconds wait, std::string why = {}) {
    return {429, "Too many requests. Please try again later.", std::move(why), {{"Retry-After", std::to_string(wait.count())}}};
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
// `accepted` is the coding that the route takes.
inline ApiError unsupported_content_coding(const std::string& accepted) {
    return {415, "Content-Encoding must be " + accepted, {}, {{"Accept-Encoding", accepted}}};
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

// What holds the request up will be over in a moment: a lock, a turn.
inline ApiError busy(std::string why) {
    return {503, "Service unavailable", std::move(why), {{"Retry-After", "1"}}};
}

// Collects what is wrong with a request, so that an error names all of it: the texts of the answer are those of the first.
class Faults {
public:
    // Runs it. Throws what is no fault of the request's own.
    template <class Check>
    void collect(Check&& check) {
        try {
            check();
        } catch (const ApiError& error) {
            if (error.faults.empty()) throw;
            add(error);
        }
    }
    bool is_full() const { return first_ && first_->faults.size() >= most; }
    bool empty() const { return !first_; }
    // Throws the error, if there is one.
    void finish() const {
        if (first_) throw *first_;
    }

private:
    static constexpr std::size_t most = 50;
    void add(const ApiError& error);
    std::optional<ApiError> first_;
};

// An error as RFC 9457 has it, for clients whose Accept names application/problem+json. `types` is the address of the page that explains the
// codes (http/error_codes.h).
Response problem(const ApiError& error, const std::string& types, const std::string& request_id);
bool accepts_problem(std::optional<std::string_view> accept);

}  // namespace tradepost::http
