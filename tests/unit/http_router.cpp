#include "http/router.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost::http;

namespace {

Router example() {
    Router router;
    // Parameters first: the order of the table must not matter.
    router.add("GET", "/api/v1/jobs/{idOrSlug}", 0);
    router.add("PATCH", "/api/v1/jobs/{idOrSlug}", 1);
    router.add("DELETE", "/api/v1/jobs/{idOrSlug}", 2);
    router.add("GET", "/api/v1/jobs", 3);
    router.add("POST", "/api/v1/jobs", 4);
    router.add("GET", "/api/v1/stock/{id}", 5);
    router.add("PUT", "/api/v1/stock/by-reference/{reference}", 6);
    router.add("GET", "/api/v1/stock/by-reference", 7);
    router.add("POST", "/api/v1/auth", 8);
    router.add("GET", "/api/{version}/openapi.yaml", 9);
    return router;
}

// "row parameter…", "405" or "404".
std::string route(std::string_view method, std::string_view path) {
    const auto router = example();
    const auto match = router.match(path);
    if (!match) return "404";
    const auto row = router.row(*match, method);
    if (!row) return "405";
    std::string text = std::to_string(*row);
    for (const auto& parameter : match->parameters) text += " " + parameter;
    return text;
}

std::string allow(std::string_view path) {
    const auto router = example();
    return router.allow(router.match(path).value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(router)

BOOST_AUTO_TEST_CASE(paths_and_methods_find_their_rows) {
    BOOST_TEST(route("GET", "/api/v1/jobs") == "3");
    BOOST_TEST(route("POST", "/api/v1/jobs") == "4");
    BOOST_TEST(route("GET", "/api/v1/jobs/sales-advisor") == "0 sales-advisor");
    BOOST_TEST(route("DELETE", "/api/v1/jobs/7") == "2 7");
    BOOST_TEST(route("PUT", "/api/v1/stock/by-reference/A-1") == "6 A-1");
    const auto router = example();
    BOOST_TEST(router.pattern(router.match("/api/v1/jobs/7").value()) == "/api/v1/jobs/{idOrSlug}");
}

BOOST_AUTO_TEST_CASE(a_literal_segment_is_preferred) {
    BOOST_TEST(route("GET", "/api/v1/stock/by-reference") == "7");
    BOOST_TEST(route("GET", "/api/v1/stock/by-referencf") == "5 by-referencf");
    BOOST_TEST(route("GET", "/api/v2/openapi.yaml") == "9 v2");
}

BOOST_AUTO_TEST_CASE(head_is_get_and_other_methods_are_their_own) {
    BOOST_TEST(route("HEAD", "/api/v1/jobs") == "3");
    BOOST_TEST(route("HEAD", "/api/v1/auth") == "405");
    for (const char* method : {"PUT", "OPTIONS", "TRACE", "get", "Get", "", "GETX", "BREW"})
        BOOST_TEST(route(method, "/api/v1/jobs") == "405", method);
}

BOOST_AUTO_TEST_CASE(allow_is_what_the_resource_takes) {
    BOOST_TEST(allow("/api/v1/jobs") == "GET, HEAD, POST, OPTIONS");
    BOOST_TEST(allow("/api/v1/jobs/7") == "GET, HEAD, PATCH, DELETE, OPTIONS");
    BOOST_TEST(allow("/api/v1/stock/by-reference/7") == "PUT, OPTIONS");
    BOOST_TEST(allow("/api/v1/auth") == "POST, OPTIONS");
}

BOOST_AUTO_TEST_CASE(a_path_that_is_a_little_different_is_another_path) {
    for (const char* path : {"",
                             "/",
                             "//",
                             "*",
                             "api/v1/jobs",
                             "/api/v1/jobs/",
                             "//api/v1/jobs",
                             "/api//v1/jobs",
                             "/api/v1//jobs",
                             "/api/v1/Jobs",
                             "/API/v1/jobs",
                             "/api/v1/jobs/7/",
                             "/api/v1/jobs//",
                             "/api/v1/jobs/7/8",
                             "/api/v1/job",
                             "/api/v1/jobsx",
                             "/api/v1",
                             "/api/v1/stock",
                             "/api/v1/./jobs",
                             "/api/v1/x/../jobs",
                             "http://h/api/v1/jobs",
                             "/api/v1/jobs;a=1",
                             "/api/v1/jobs%2F7"})
        BOOST_TEST(route("GET", path) == "404", path);
}

BOOST_AUTO_TEST_CASE(segments_are_decoded_one_by_one) {
    BOOST_TEST(route("GET", "/api/v1/%6Aobs") == "3");
    BOOST_TEST(route("GET", "/api/v1/jobs/caf%C3%A9") == "0 caf\xC3\xA9");
    BOOST_TEST(route("GET", "/api/v1/jobs/a+b%20c") == "0 a+b c");
    BOOST_TEST(route("PUT", "/api/v1/stock/by-reference/A%2F1") == "6 A/1");
    BOOST_TEST(route("GET", "/api/v1/jobs/%7Bid%7D") == "0 {id}");
    BOOST_TEST(route("GET", "/api/v1/jobs/..") == "0 ..");
}

BOOST_AUTO_TEST_CASE(what_is_no_text_is_no_path) {
    for (const char* segment : {"%", "%4", "%zz", "a%00b", "%00", "%FF", "%C3", "%ED%A0%80", "\xFF", "%C0%AF"})
        BOOST_TEST(route("GET", std::string("/api/v1/jobs/") + segment) == "404", segment);
    BOOST_TEST(route("GET", std::string_view("/api/v1/jobs/a\0", 15)) == "404");
}

BOOST_AUTO_TEST_CASE(long_paths_are_harmless) {
    BOOST_TEST(route("GET", "/api/v1/jobs/" + std::string(1 << 20, 'a')).size() == (1u << 20) + 2);
    BOOST_TEST(route("GET", std::string(1 << 20, '/')) == "404");
}

BOOST_AUTO_TEST_SUITE_END()
