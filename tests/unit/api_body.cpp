#include "api/body.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "json/parse.h"
#include "support/refusal.h"

using namespace tradepost;

namespace {

constexpr std::size_t limit = 100;

std::string read(const char* method, std::optional<std::string> type, std::string body, bool too_large = false) {
    http::Request request;
    request.method = method;
    if (type) request.headers.emplace_back("content-type", *type);
    request.body = std::move(body);
    request.body_too_large = too_large;
    return test::refusal([&] { api::check_body(request, limit), (void)api::parse_body(request); });
}

const std::string media = "415 Content-Type must be application/json", large = "413 Request body too large",
                  syntax = "400 Invalid JSON body", object = "400 Invalid field: body: must be an object";

}  // namespace

BOOST_AUTO_TEST_SUITE(body)

BOOST_AUTO_TEST_CASE(json_is_taken_with_parameters_and_in_any_case) {
    for (const char* type : {"application/json", "application/json; charset=utf-8", "application/json;charset=\"UTF-8\"",
                             "Application/JSON", " application/json ", "application/json ;x"})
        BOOST_TEST(read("POST", type, "{}") == "accepted", type);
}

BOOST_AUTO_TEST_CASE(other_media_types_are_refused) {
    for (const char* type :
         {"", "text/plain", "text/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
          "application/jsonp", "application/json2", "application/ld+json", "application", "json", "*/*",
          "application/json, text/plain", "text/plain; application/json", ";application/json"})
        BOOST_TEST(read("POST", type, "{}") == media, type);
    BOOST_TEST(read("POST", {}, "{}") == media);
}

// RFC 7396.
BOOST_AUTO_TEST_CASE(merge_patches_are_for_patch_only) {
    BOOST_TEST(read("PATCH", "application/merge-patch+json", "{}") == "accepted");
    BOOST_TEST(read("PATCH", "application/merge-patch+json; charset=utf-8", "{}") == "accepted");
    BOOST_TEST(read("PATCH", "application/json", "{}") == "accepted");
    BOOST_TEST(read("PATCH", "application/json-patch+json", "[]") == media);
    for (const char* method : {"POST", "PUT"}) BOOST_TEST(read(method, "application/merge-patch+json", "{}") == media);
}

BOOST_AUTO_TEST_CASE(the_limit_is_the_last_byte_that_is_taken) {
    const auto padded = [](std::size_t size) { return "{" + std::string(size - 2, ' ') + "}"; };
    BOOST_TEST(read("POST", "application/json", padded(limit)) == "accepted");
    BOOST_TEST(read("POST", "application/json", padded(limit + 1)) == large);
    BOOST_TEST(read("POST", "application/json", "", true) == large);
}

BOOST_AUTO_TEST_CASE(media_type_comes_before_size_before_syntax_before_object) {
    BOOST_TEST(read("POST", "text/plain", "", true) == media);
    BOOST_TEST(read("POST", "application/json", std::string(limit + 1, '[')) == large);
    BOOST_TEST(read("POST", "application/json", "[") == syntax);
}

BOOST_AUTO_TEST_CASE(the_root_is_an_object) {
    for (const char* text : {"[]", "null", "5", "\"x\"", "true", "[{}]"})
        BOOST_TEST(read("POST", "application/json", text) == object, text);
    BOOST_TEST(read("POST", "application/json", "") == syntax);
    BOOST_TEST(read("POST", "application/json", "{\"a\":1,\"a\":1}") == syntax);
}

BOOST_AUTO_TEST_SUITE_END()
