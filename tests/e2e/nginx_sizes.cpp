// Sizes (API rules, "Order of checks"): 413, 414 and 400 come before all other checks, over both versions of HTTP.
#include "e2e/checks.h"

using namespace tradepost::test;

namespace {

constexpr std::size_t mebibyte = 1 << 20;

Answer post_bytes(Client& client, const std::string& target, std::size_t bytes, bool chunked, bool http2) {
    return client.send({.method = "POST",
                        .target = target,
                        .headers = {{"Content-Type", "application/json"}},
                        .body = std::string(bytes, ' '),
                        .chunked = chunked,
                        .http2 = http2});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nginx_sizes)

BOOST_AUTO_TEST_CASE(a_body_announced_too_large_is_413_before_it_is_sent) {
    const auto answer = raw_exchange(
        stack().site(),
        "POST /api/v1/auth HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2000000000\r\n"
        "Connection: close\r\n\r\n");
    check_refused(answer, 413, "Request body too large");
}

BOOST_AUTO_TEST_CASE(a_body_too_large_is_413) {
    for (const bool http2 : {false, true})
        for (const bool chunked : {false, true}) BOOST_TEST_CONTEXT("HTTP/" << (http2 ? 2 : 1) << (chunked ? " chunked" : "")) {
                Client client(stack().site());
                check_refused(post_bytes(client, "/api/v1/auth", 2 * mebibyte, chunked, http2), 413, "Request body too large");
                check_refused(post_bytes(client, "/api/v1/auth", mebibyte + 1, chunked, http2), 413, "Request body too large");
            }
}

BOOST_AUTO_TEST_CASE(a_body_of_the_limit_reaches_the_application) {
    for (const bool http2 : {false, true})
        for (const bool chunked : {false, true}) BOOST_TEST_CONTEXT("HTTP/" << (http2 ? 2 : 1) << (chunked ? " chunked" : "")) {
                Client client(stack().site());
                check_refused(post_bytes(client, "/api/v1/auth", mebibyte, chunked, http2), 400, "Invalid JSON body");
            }
}

BOOST_AUTO_TEST_CASE(a_uri_too_long_is_414) {
    Client client(stack().site());
    for (const bool http2 : {false, true})
        for (const std::size_t length : {17000u, 30000u, 60000u})
            for (const std::string start : {"/api/v1/jobs?q=", "/nothing?", "/api/v1/me?"})
                BOOST_TEST_CONTEXT("HTTP/" << (http2 ? 2 : 1) << " " << start << length)
    check_refused(client.send({.target = start + std::string(length, 'x'), .http2 = http2}), 414, "URI too long");
    // Beyond every buffer.
    check_refused(client.send({.target = "/api/v1/jobs?q=" + std::string(200000, 'x'), .http2 = false}), 414, "URI too long");
}

BOOST_AUTO_TEST_CASE(a_long_uri_that_is_allowed_is_served) {
    Client client(stack().site());
    for (const bool http2 : {false, true}) {
        for (const char letter : {'x', ';'}) {
            const auto answer =
                client.send({.target = "/api/v1/jobs?limit=1&page=2&unknown=" + std::string(15000, letter), .http2 = http2});
            BOOST_TEST(answer.status == 200);
            check_conventions(answer);
        }
        // Four links would have 180,000 bytes.
        check_refused(client.send({.target = "/api/v1/jobs?city=" + std::string(15000, ';'), .http2 = http2}), 400,
                      "Invalid query");
    }
}

BOOST_AUTO_TEST_CASE(headers_too_large_are_400) {
    const std::string rest = "Host: localhost\r\nConnection: close\r\n";
    const std::pair<const char*, std::string> cases[] = {
        {"one header", "GET /healthz HTTP/1.1\r\n" + rest + "X-Long: " + std::string(100000, 'x') + "\r\n\r\n"},
        {"a header without an end", "GET /healthz HTTP/1.1\r\n" + rest + "X-Long: " + std::string(300000, 'x')},
        {"a header's name", "GET /healthz HTTP/1.1\r\n" + rest + std::string(100000, 'x') + ": 1\r\n\r\n"},
    };
    for (const auto& [what, bytes] : cases)
        BOOST_TEST_CONTEXT(what) check_refused(raw_exchange(stack().site(), bytes), 400, "Bad request");
}

// Many headers fill one FastCGI record; over HTTP/2 they may be compressed to almost nothing.
BOOST_AUTO_TEST_CASE(many_headers_are_never_a_server_error) {
    for (const bool http2 : {false, true})
        for (const int count : {10, 30, 50, 200, 1000})
            BOOST_TEST_CONTEXT("HTTP/" << (http2 ? 2 : 1) << " " << count << " headers") {
                Client client(stack().site());
                Headers headers;
                for (int i = 0; i < count; ++i)
                    headers.emplace_back("X-Many-" + std::to_string(i), std::string(1000, char('a' + i % 26)));
                const auto answer = client.send({.target = "/healthz", .headers = headers, .http2 = http2});
                // nginx ends an HTTP/2 connection whose headers pass its buffers, without an answer.
                if (http2 && answer.status == 0) continue;
                BOOST_TEST((answer.status == 200 || answer.status == 400));
                if (answer.status != 200) check_refused(answer, 400, "Bad request");
            }
}

BOOST_AUTO_TEST_SUITE_END()
