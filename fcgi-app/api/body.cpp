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

Coding content_coding(const http::Request& request, Coding accepted) {
    const auto named = core::lower_ascii(core::trim(request.header("content-encoding").value_or("")));
    if (named.empty() || named == "identity") return Coding::identity;
    const bool is_gzip = named == "gzip" || named == "x-gzip";  // section 8.4.1.3
    if (is_gzip && accepted == Coding::gzip) return Coding::gzip;
    throw http::unsupported_content_coding(accepted == Coding::gzip ? "gzip" : "identity");
}

void check_body(const http::Request& request, std::size_t limit) {
    if (!is_json(request)) throw http::unsupported_media_type();
    content_coding(request);
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
