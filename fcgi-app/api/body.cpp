#include "api/body.h"

#include "api/call.h"
#include "core/text.h"
#include "http/error.h"
#include "json/parse.h"

namespace tradepost::api {
namespace {

bool is_json(const http::Request& request) {
    const auto field = request.header("content-type");
    if (!field) return false;
    const auto type = core::lower_ascii(core::trim(field->substr(0, field->find(';'))));
    return type == "application/json" || (request.method == "PATCH" && type == "application/merge-patch+json");
}

}  // namespace

void check_body(const http::Request& request, std::size_t limit) {
    if (!is_json(request)) throw http::unsupported_media_type();
    if (request.body_too_large || request.body.size() > limit) throw http::body_too_large();
}

json::Json parse_body(const http::Request& request) {
    auto body = json::parse(request.body);
    if (!body.is_object()) throw http::invalid_field("body", "must be an object");
    return body;
}

json::Json& Call::body() {
    if (!parsed_body) parsed_body = std::make_shared<json::Json>(parse_body(request));
    return *parsed_body;
}

}  // namespace tradepost::api
