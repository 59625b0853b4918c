#include "http/error.h"

#include <nlohmann/json.hpp>

#include "core/text.h"
#include "http/error_codes.h"
#include "http/query.h"

namespace tradepost::http {
namespace {

constexpr std::size_t longest_name = 100;  // bytes of a name that a header repeats

}  // namespace

ApiError invalid_query(std::string_view name, std::string reason) {
    const auto shown = percent_encode(name.substr(0, longest_name));
    ApiError error(400, "Invalid query", shown + " " + reason, {{"X-Invalid-Parameter", shown + "; " + reason}});
    error.faults.push_back({std::string(name), std::move(reason), true});
    return error;
}

ApiError invalid_field(const std::string& name, const std::string& why) {
    ApiError error(400, "Invalid field: " + name + ": " + why);
    error.faults.push_back({name, why});
    return error;
}

ApiError unknown_field(const std::string& name) {
    ApiError error(400, "Unknown field: " + name);
    error.faults.push_back({name, "is unknown"});
    return error;
}

void Faults::add(const ApiError& error) {
    if (!first_)
        first_ = error;
    else
        first_->faults.insert(first_->faults.end(), error.faults.begin(), error.faults.end());
}

bool accepts_problem(std::optional<std::string_view> accept) {
    constexpr std::string_view wanted = "application/problem+json";
    for (auto rest = accept.value_or(""); !rest.empty();) {
        auto range = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(range.size() + 1, rest.size()));
        const auto first = range.find_first_not_of(" \t");
        if (first == std::string_view::npos) continue;
        range.remove_prefix(first);
        const auto parameters = range.substr(std::min(range.find(';'), range.size()));
        range = range.substr(0, range.find_first_of("; \t"));
        if (core::lower_ascii(range) != wanted) continue;
        const auto quality = parameters.find("q=");
        return quality == std::string_view::npos || parameters.find_first_of("123456789", quality) != std::string_view::npos;
    }
    return false;
}

namespace {

// RFC 6901, section 3.
std::string pointer_to(std::string_view name) {
    std::string pointer = "/";
    for (const char c : name) pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return pointer;
}

}  // namespace

Response problem(const ApiError& error, const std::string& types, const std::string& request_id) {
    const auto code = error_code(error.status, error.external);
    auto faults = nlohmann::json::array();
    for (const auto& [name, reason, is_parameter] : error.faults)
        faults.push_back({{is_parameter ? "parameter" : "pointer", is_parameter ? name : pointer_to(name)},
                          {"code", fault_code(reason)},
                          {"detail", reason}});
    Response response;
    response.status = error.status;
    response.body = nlohmann::json{
        {"type", types + "#" + std::string(code)},
        {"title", reason(error.status)},
        {"status", error.status},
        {"detail", error.external},
        {"code", code},
        {"requestId", request_id},
        {"errors",
         faults}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    response.set("Content-Type", "application/problem+json");
    return response;
}

}  // namespace tradepost::http
