// Refusals by nginx itself (API rules, "Errors"): JSON with the usual headers.
#include "e2e/checks.h"

using namespace tradepost::test;

BOOST_AUTO_TEST_SUITE(nginx_errors)

BOOST_AUTO_TEST_CASE(requests_that_are_no_http_are_400_json) {
    const std::string rest = "Host: localhost\r\nConnection: close\r\n\r\n";
    const std::pair<const char*, std::string> cases[] = {
        {"no request line", "GARBAGE\r\n\r\n"},
        {"a binary request line", std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 15)},
        {"an encoded NUL in the path", "GET /api/v1/jobs%00 HTTP/1.1\r\n" + rest},
        {"a malformed escape in the path", "GET /api/v1/jobs%zz HTTP/1.1\r\n" + rest},
        {"half an escape in the path", "GET /api/v1/jobs%a HTTP/1.1\r\n" + rest},
        {"a raw NUL in the path", std::string("GET /api/v1/jobs\0x HTTP/1.1\r\n", 29) + rest},
        {"a control character in the path", "GET /api/v1/jo\x01bs HTTP/1.1\r\n" + rest},
        {"two Authorization headers", "GET /api/v1/me HTTP/1.1\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n" + rest},
        {"no Host", "GET /api/v1/jobs HTTP/1.1\r\nConnection: close\r\n\r\n"},
        {"two Hosts", "GET /api/v1/jobs HTTP/1.1\r\nHost: other\r\n" + rest},
        {"an unknown version", "GET /api/v1/jobs HTTP/9.1\r\n" + rest},
        {"a method in lower case", "get /api/v1/jobs HTTP/1.1\r\n" + rest},
        {"a path above the root", "GET /../../etc/passwd HTTP/1.1\r\n" + rest},
        {"an encoded path above the root", "GET /%2e%2e/etc/passwd HTTP/1.1\r\n" + rest},
        {"a space in the path", "GET /api/v1/jobs and more HTTP/1.1\r\n" + rest},
        {"no number as Content-Length", "POST /api/v1/auth HTTP/1.1\r\nContent-Length: ten\r\n" + rest},
        {"a negative Content-Length", "POST /api/v1/auth HTTP/1.1\r\nContent-Length: -1\r\n" + rest},
        {"two Content-Lengths", "POST /api/v1/auth HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n" + rest},
        {"length and chunks (request smuggling)",
         "POST /api/v1/auth HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n" + rest},
        {"a broken chunk", "POST /api/v1/auth HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + rest + "zz\r\n"},
        {"an unknown transfer coding", "POST /api/v1/auth HTTP/1.1\r\nTransfer-Encoding: gzip\r\n" + rest},
        {"CONNECT to an authority", "CONNECT localhost:443 HTTP/1.1\r\n" + rest},
    };
    for (const auto& [what, bytes] : cases)
        BOOST_TEST_CONTEXT(what) check_refused(raw_exchange(stack().site(), bytes), 400, "Bad request");
}

BOOST_AUTO_TEST_CASE(plain_http_on_the_tls_port_is_400_json) {
    const auto answer =
        raw_exchange(stack().site(), "GET /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", false);
    check_refused(answer, 400, "Bad request");
}

// RFC 9112, section 4: the space after the status code is there even without a reason.
BOOST_AUTO_TEST_CASE(the_status_line_is_well_formed) {
    for (const auto* target : {"/healthz", "/api/v1/me", "/nothing", "/api/v1/nothing"}) {
        RawConnection connection(stack().site());
        connection.send("GET " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        const auto text = connection.read_to_end();
        const auto line = text.substr(0, text.find("\r\n"));
        BOOST_TEST_CONTEXT(target << ": " << line) {
            BOOST_REQUIRE(line.size() > 12);
            BOOST_TEST(line[12] == ' ');
        }
    }
}

BOOST_AUTO_TEST_CASE(http_1_0_without_a_host_is_served) {
    const auto answer = raw_exchange(stack().site(), "GET /healthz HTTP/1.0\r\n\r\n");
    BOOST_TEST(answer.status == 200);
    check_conventions(answer);
}

// A proxy form of the request line names the same resource.
BOOST_AUTO_TEST_CASE(the_absolute_form_is_served) {
    const auto answer =
        raw_exchange(stack().site(), "GET https://localhost/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    BOOST_TEST(answer.status == 200);
    BOOST_TEST(answer.body == R"({"data":{"status":"ok"}})");
}

BOOST_AUTO_TEST_CASE(paths_outside_the_api_are_404_json) {
    Client client(stack().site());
    for (const auto* target : {"/",
                               "/index.html",
                               "/api",
                               "/api/",
                               "/api/v1",
                               "/api/v1/",
                               "/api/v2/jobs",
                               "/favicon.ico",
                               "/.git/config",
                               "/.error/400",
                               "/.error/500",
                               "/.openapi/405",
                               "/.error",
                               "//api/v1/jobs",
                               "/api//v1/jobs",
                               "/api/v1//jobs",
                               "/api/v1/jobs/",
                               "/api/v1/jobs//",
                               "/API/V1/JOBS",
                               "/api/v1/Jobs",
                               "/api/v1/jobs;x=1",
                               "/api/v1/jobs%2F",
                               "/api/v1%2Fjobs",
                               "/api/v1/jobs%20",
                               "/healthz/",
                               "/readyz/x",
                               "/metrics/",
                               "/status",
                               "/nginx.conf",
                               "/a.gif",
                               "/a.jpg",
                               "/api/v1/jobs.html",
                               "/api/v1/openapi.yaml/",
                               "/api/v1/openapi.json/",
                               "/docs/nothing",
                               "/docs/stock/"})
        BOOST_TEST_CONTEXT(target) check_refused(client.get(target), 404, "Not found");
}

// Routed by what was asked for, not by what it would come to: only one spelling of a resource exists.
BOOST_AUTO_TEST_CASE(dot_segments_are_another_path) {
    Client client(stack().site());
    for (const auto* target :
         {"/x/../api/v1/jobs", "/api/v1/./jobs", "/api/v1/x/../jobs", "/api/v1/jobs/.", "/api/v1/jobs/..", "/api/v1/%2e/jobs"})
        for (const bool http2 : {false, true}) BOOST_TEST_CONTEXT(target << " over HTTP/" << (http2 ? 2 : 1))
    check_refused(client.send({.target = target, .http2 = http2}), 404, "Not found");
}

BOOST_AUTO_TEST_SUITE_END()
