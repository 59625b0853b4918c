#include "http/error_codes.h"

#include <algorithm>

namespace tradepost::http {
namespace {

// The first row that fits counts.
constexpr ErrorCode errors[] = {
    {"Bad request", "bad_request"},
    {"Invalid field: ", "invalid_field"},
    {"Unknown field: ", "unknown_field"},
    {"Invalid query", "invalid_query"},
    {"Invalid search query", "invalid_search_query"},
    {"Invalid JSON body", "invalid_json"},
    {"Line ", "invalid_line"},
    {"organisationId is required", "organisation_required"},
    {"Unauthorized", "unauthorized"},
    {"Invalid credentials", "invalid_credentials"},
    {"Code required", "code_required"},
    {"Invalid code", "invalid_code"},
    {"Password confirmation required", "password_confirmation_required"},
    {"Forbidden", "forbidden"},
    {"Not found", "not_found"},
    {"Method not allowed", "method_not_allowed"},
    {"Conflict: status cannot change from ", "illegal_move"},
    {"Conflict: reference is ", "reference_taken"},
    {"Conflict: upload quota reached", "limit_reached"},
    {"Conflict: an organisation has at most ", "limit_reached"},
    {"Conflict: limit of ", "limit_reached"},
    {"Conflict: too many ", "limit_reached"},
    {"Conflict: upload is attached", "upload_attached"},
    {"Conflict: ticket is ", "ticket_used"},
    {"Conflict: this service sends no mail", "no_mail"},
    {"Conflict: ", "conflict"},
    {"Gone: start again from the list", "list_gone"},
    {"Precondition failed", "precondition_failed"},
    {"Request body too large", "body_too_large"},
    {"URI too long", "uri_too_long"},
    {"Range not satisfiable", "range_not_satisfiable"},
    {"Misdirected request", "misdirected_request"},
    {"Content-Type must be ", "unsupported_media_type"},
    {"Content-Encoding must be ", "unsupported_content_coding"},
    {"Idempotency-Key was used with another request", "idempotency_key_used"},
    {"Too many requests", "too_many_requests"},
    {"Too many attempts", "too_many_attempts"},
    {"Internal server error", "internal_error"},
    {"Search unavailable", "search_unavailable"},
    {"Service unavailable", "service_unavailable"},
    {"Bad gateway", "bad_gateway"},
    {"Gateway timeout", "gateway_timeout"},
};

constexpr ErrorCode faults[] = {
    {"is required to publish", "required_to_publish"},
    {"is required", "required"},
    {"must not be null", "required"},
    {"must not be empty", "required"},
    {"must have a visible character", "required"},
    {"is unknown", "unknown"},
    {"must be one of ", "choice"},
    {"must be DRAFT", "choice"},
    {"must have only ", "choice"},
    {"must be a list of enquiry.created", "choice"},
    {"must name facets of this list", "choice"},
    {"must be a string", "type"},
    {"must be a list", "type"},
    {"must be an object", "type"},
    {"must be true or false", "type"},
    {"must be an integer from ", "range"},
    {"must be an integer", "type"},
    {"must be between ", "range"},
    {"must not be below ", "range"},
    {"must not be before ", "range"},
    {"must be at most ", "length"},
    {"must hold at most ", "length"},
    {"must have names of 1 to ", "length"},
    {"must be 1 to ", "length"},
    {"is too long", "length"},
    {"must not hold a", "repeated"},
    {"must not name an event twice", "repeated"},
    {"must name each facet once", "repeated"},
    {"must have names that differ", "repeated"},
    {"must be given once", "repeated"},
    {"must be a UUID", "format"},
    {"must be an email address", "format"},
    {"must be an http", "format"},
    {"must be an RFC 3339 time", "format"},
    {"must be an ISO ", "format"},
    {"must be an IANA ", "format"},
    {"must be base64 ", "format"},
    {"must be READY ", "reference"},
    {"must be a READY ", "reference"},
    {"must be that of ", "reference"},
};

std::string_view of_status(int status) {
    return status == 400 ? "bad_request" : status == 409 ? "conflict" : status >= 500 ? "internal_error" : "refused";
}

}  // namespace

std::string_view error_code(int status, std::string_view external) {
    const auto found =
        std::find_if(std::begin(errors), std::end(errors), [&](const auto& row) { return external.starts_with(row.text); });
    return found == std::end(errors) ? of_status(status) : found->code;
}

std::string_view fault_code(std::string_view reason) {
    const auto found =
        std::find_if(std::begin(faults), std::end(faults), [&](const auto& row) { return reason.starts_with(row.text); });
    return found == std::end(faults) ? other_fault : found->code;
}

std::span<const ErrorCode> error_codes() {
    return errors;
}
std::span<const ErrorCode> fault_codes() {
    return faults;
}

}  // namespace tradepost::http
