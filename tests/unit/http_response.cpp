#include "http/response.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "http/cors.h"
#include "http/error.h"
#include "http/request_id.h"

using namespace tradepost::http;

namespace {

const std::vector<std::string> allowed{"https://shop.example", "https://admin.example:8443"};

Request request(const char* method, std::vector<std::pair<std::string, std::string>> headers) {
    Request r;
    r.method = method;
    r.headers = std::move(headers);
    return r;
}

Response cors(const Request& r, bool open_to_all) {
    Response response;
    add_cors(response, r, open_to_all, allowed, "GET, HEAD, OPTIONS");
    return response;
}

std::string header(const Response& response, std::string_view name) {
    return std::string(response.header(name).value_or("(none)"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(response)

BOOST_AUTO_TEST_CASE(envelopes_have_one_member) {
    BOOST_TEST(data("{}").body == "{\"data\":{}}");
    BOOST_TEST(data("[1]", 201).status == 201);
    BOOST_TEST(data("{}").status == 200);
    BOOST_TEST(failure(404, "Not found").body == "{\"error\":\"Not found\"}");
    BOOST_TEST(failure(404, "Not found").status == 404);
    BOOST_TEST(failure(400, "Unknown field: \"\n\x01").body == "{\"error\":\"Unknown field: \\\"\\n\\u0001\"}");
    BOOST_TEST(failure(400, "\xFF").body == "{\"error\":\"\xEF\xBF\xBD\"}");
}

BOOST_AUTO_TEST_CASE(headers_are_set_once_in_any_case) {
    Response r;
    r.set("ETag", "\"a\"");
    r.set("etag", "\"b\"");
    BOOST_TEST(r.headers.size() == 1u);
    BOOST_TEST(header(r, "ETAG") == "\"b\"");
    BOOST_TEST(header(r, "ETa") == "(none)");
    r.add_to_list("Vary", "Origin");
    r.add_to_list("vary", "Accept-Encoding");
    BOOST_TEST(header(r, "Vary") == "Origin, Accept-Encoding");
    BOOST_TEST(r.headers.size() == 2u);
}

BOOST_AUTO_TEST_CASE(fixed_error_texts) {
    const auto text = [](const ApiError& e) { return std::to_string(e.status) + " " + e.external; };
    BOOST_TEST(text(invalid_query("limit", "why")) == "400 Invalid query");
    BOOST_TEST(text(invalid_search()) == "400 Invalid search query");
    BOOST_TEST(text(invalid_json("why")) == "400 Invalid JSON body");
    BOOST_TEST(text(invalid_field("title", "is required")) == "400 Invalid field: title: is required");
    BOOST_TEST(text(unknown_field("x")) == "400 Unknown field: x");
    BOOST_TEST(text(unauthorized()) == "401 Unauthorized");
    BOOST_TEST(text(invalid_credentials()) == "401 Invalid credentials");
    BOOST_TEST(text(forbidden()) == "403 Forbidden");
    BOOST_TEST(text(not_found()) == "404 Not found");
    BOOST_TEST(text(conflict("the slug is taken")) == "409 Conflict: the slug is taken");
    BOOST_TEST(text(precondition_failed()) == "412 Precondition failed");
    BOOST_TEST(text(body_too_large()) == "413 Request body too large");
    BOOST_TEST(text(unsupported_media_type()) == "415 Content-Type must be application/json");
    BOOST_TEST(text(search_unavailable("why")) == "503 Search unavailable");
    BOOST_TEST(text(service_unavailable("why")) == "503 Service unavailable");
    BOOST_TEST(service_unavailable("why").what() == std::string("why"));
    // Every 401 has exactly one challenge.
    for (const auto& error : {unauthorized(), invalid_credentials(), code_required(), invalid_code(), ApiError(401, "x")})
        BOOST_TEST((error.headers == ApiError::Headers{{"WWW-Authenticate", "Bearer"}}), error.external);
    const ApiError::Headers other{{"WWW-Authenticate", "Other"}};
    BOOST_TEST((ApiError(401, "x", {}, other).headers == other));
    BOOST_TEST(forbidden().headers.empty());
    BOOST_TEST(service_unavailable("").headers.at(0).first == "Retry-After");
}

BOOST_AUTO_TEST_CASE(request_targets_split_at_the_first_question_mark) {
    Request r;
    r.target = "/a/b?x=1?y";
    BOOST_TEST(r.raw_path() == "/a/b");
    BOOST_TEST(r.raw_query() == "x=1?y");
    r.target = "/a";
    BOOST_TEST(r.raw_path() == "/a");
    BOOST_TEST(r.raw_query() == "");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(request_ids)

BOOST_AUTO_TEST_CASE(a_good_id_is_kept) {
    for (const std::string& id :
         {std::string("a"), std::string("0"), std::string("AZaz09._-"), std::string("-"), std::string(128, 'x')})
        BOOST_TEST(request_id(id) == id);
}

BOOST_AUTO_TEST_CASE(any_other_is_replaced) {
    std::vector<std::string> bad{"",
                                 std::string(129, 'x'),
                                 "a b",
                                 " a",
                                 "a,b",
                                 "a/b",
                                 "a\"",
                                 "a\n",
                                 "a=b",
                                 "caf\xC3\xA9",
                                 std::string("a\0", 2),
                                 "a:b",
                                 "@",
                                 "[",
                                 "`",
                                 "{"};
    for (const auto& id : bad) {
        const auto made = request_id(id);
        BOOST_TEST(made != id);
        BOOST_TEST(made.size() == 32u);
        BOOST_TEST(made.find_first_not_of("0123456789abcdef") == std::string::npos);
    }
    BOOST_TEST(request_id({}).size() == 32u);
    BOOST_TEST(request_id({}) != request_id({}));
}

BOOST_AUTO_TEST_SUITE_END()

// The Fetch standard, section 3.2.
BOOST_AUTO_TEST_SUITE(cross_origin)

BOOST_AUTO_TEST_CASE(public_reads_are_open_to_all) {
    for (const auto& r :
         {request("GET", {{"origin", "https://evil.example"}}), request("GET", {}), request("HEAD", {{"origin", "null"}})}) {
        const auto response = cors(r, true);
        BOOST_TEST(header(response, "Access-Control-Allow-Origin") == "*");
        BOOST_TEST(header(response, "Vary") == "(none)");
        BOOST_TEST(header(response, "Access-Control-Allow-Credentials") == "(none)");
        BOOST_TEST(header(response, "Access-Control-Expose-Headers").find("X-Total-Count") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(elsewhere_only_origins_of_the_list) {
    const auto good = cors(request("GET", {{"origin", "https://admin.example:8443"}}), false);
    BOOST_TEST(header(good, "Access-Control-Allow-Origin") == "https://admin.example:8443");
    BOOST_TEST(header(good, "Vary") == "Origin");
    for (const char* origin :
         {"https://evil.example", "https://shop.example.evil.example", "https://shop.example:443", "http://shop.example",
          "https://SHOP.example", "https://shop.example/", "null", "", "*", "https://shop.example, https://evil.example"}) {
        const auto bad = cors(request("GET", {{"origin", origin}}), false);
        BOOST_TEST(bad.headers.size() == 1u);
        BOOST_TEST(header(bad, "Vary") == "Origin");
    }
    BOOST_TEST(cors(request("GET", {}), false).headers.size() == 1u);
}

BOOST_AUTO_TEST_CASE(preflights_tell_methods_and_headers) {
    const auto preflight = request("OPTIONS", {{"origin", "https://shop.example"}, {"access-control-request-method", "PATCH"}});
    for (const bool open : {true, false}) {
        const auto response = cors(preflight, open);
        BOOST_TEST(header(response, "Access-Control-Allow-Methods") == "GET, HEAD, OPTIONS");
        BOOST_TEST(header(response, "Access-Control-Allow-Headers").find("Authorization") != std::string::npos);
        BOOST_TEST(header(response, "Access-Control-Expose-Headers") == "(none)");
    }
    const auto refused =
        cors(request("OPTIONS", {{"origin", "https://evil.example"}, {"access-control-request-method", "PATCH"}}), false);
    BOOST_TEST(header(refused, "Access-Control-Allow-Methods") == "(none)");
    // OPTIONS without the question is no preflight.
    BOOST_TEST(header(cors(request("OPTIONS", {{"origin", "https://shop.example"}}), true), "Access-Control-Allow-Methods") ==
               "(none)");
}

BOOST_AUTO_TEST_SUITE_END()
