// Bad input: whatever a client sends, the response is one that the API rules name. Never a 5xx, never HTML, no worker dies, nothing
// internal is told.
#include "core/text.h"
#include "e2e/checks.h"
#include "support/bad_input_table.h"

using namespace tradepost::test;

namespace {

const char* const lists[] = {"/api/v1/jobs", "/api/v1/events", "/api/v1/posts"};

// Reads have a limit of 60 an address, sign-ins one of 8: each request comes from another.
Client anybody() {
    return Client(stack().site());
}

// Empty when the answer is as every answer must be; one text to compare, for this is asked thousands of times.
std::string fault_of(const Answer& answer) {
    if (answer.status == 0) return "no answer: " + answer.failure;
    if (answer.status >= 500) return "status " + std::to_string(answer.status) + ": " + answer.body;
    if (answer.count("x-request-id") != 1 || answer.header("x-content-type-options") != "nosniff") return "headers";
    if (answer.header("x-injected")) return "a header of the client's own making";
    if (answer.status == 304) return answer.body.empty() ? "" : "a body with 304";
    if (answer.header("content-type") != "application/json; charset=utf-8")
        return "content type " + answer.header("content-type").value_or("-");
    const auto document = answer.json();
    if (answer.status >= 400 && answer.error().empty()) return "no error envelope: " + answer.body.substr(0, 200);
    if (answer.status < 400 && (!document.is_object() || document.size() != 1 || !document.contains("data")))
        return "no data envelope: " + answer.body.substr(0, 200);
    if (answer.status < 400) return {};
    const auto text = tradepost::core::lower_ascii(answer.body);
    for (const auto* internal : {"select ", "insert ", " from ", "sql", "mariadb", "mysql", "syntax;", "exception", "std::",
                                 "nlohmann", "parse_error", ".cpp", "0x", "/work", "/tmp", "stack", "terminate", "<html"})
        if (text.find(internal) != std::string::npos) return "internals: " + answer.body.substr(0, 200);
    return {};
}

void check(const Answer& answer, const std::string& what) {
    const auto fault = fault_of(answer);
    BOOST_CHECK_MESSAGE(fault.empty(), what.substr(0, 300) << ": " << fault);
}

// The same processes before and after.
struct WorkersLive {
    std::vector<pid_t> api = stack().workers(), auth = stack().workers("auth");
    ~WorkersLive() {
        BOOST_TEST(stack().workers() == api, boost::test_tools::per_element());
        BOOST_TEST(stack().workers("auth") == auth, boost::test_tools::per_element());
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(bad_input)

BOOST_AUTO_TEST_CASE(queries) {
    const WorkersLive live;
    const auto all = nasty_queries();
    auto client = anybody();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % 19 == 0) client = anybody();
        for (const auto* list : lists) {
            const auto target = std::string(list) + "?" + all[i];
            const auto answer = until_served([&] { return client.send({.target = target, .http2 = i % 2 == 0}); });
            check(answer, target);
            BOOST_CHECK_MESSAGE(answer.status == 200 || answer.status == 400,
                                target.substr(0, 200) << ": " << answer.status << " " << answer.body.substr(0, 200));
            if (answer.status == 400)
                BOOST_CHECK_MESSAGE(answer.error() == "Invalid query" || answer.error() == "Invalid search query",
                                    target.substr(0, 200) << ": " << answer.body);
        }
    }
}

BOOST_AUTO_TEST_CASE(segments) {
    const WorkersLive live;
    const auto all = nasty_segments();
    auto client = anybody();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % 19 == 0) client = anybody();
        for (const auto* list : lists) {
            const auto target = std::string(list) + "/" + all[i];
            const auto answer = client.send({.target = target, .http2 = i % 2 == 0});
            check(answer, target);
            BOOST_CHECK_MESSAGE(answer.status == 404 || answer.status == 400, target.substr(0, 200) << ": " << answer.status);
        }
    }
}

BOOST_AUTO_TEST_CASE(bodies_to_every_route) {
    const WorkersLive live;
    const auto bodies = nasty_bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        auto client = anybody();
        for (const auto* target :
             {"/api/v1/auth", "/api/v1/me", "/api/v1/jobs", "/api/v1/jobs/none", "/api/v1/nothing", "/healthz"})
            for (const auto* method : {"POST", "GET", "DELETE", "PUT"}) {
                const auto answer = client.send({.method = method,
                                                 .target = target,
                                                 .headers = {{"Content-Type", "application/json"}},
                                                 .body = bodies[i],
                                                 .http2 = i % 2 == 0});
                const auto what = method + (" " + std::string(target)) + " with " + bodies[i].substr(0, 60);
                check(answer, what);
                if (bodies[i].size() > (1 << 20)) BOOST_CHECK_MESSAGE(answer.status == 413, what << ": " << answer.status);
            }
    }
}

BOOST_AUTO_TEST_CASE(sign_in_with_anything_is_400_or_401) {
    for (const auto& body : nasty_bodies()) {
        const auto answer = until_served([&] { return anybody().post("/api/v1/auth", body); });
        check(answer, body.substr(0, 100));
        BOOST_CHECK_MESSAGE(answer.status == 400 || answer.status == 401 || answer.status == 413,
                            body.substr(0, 100) << ": " << answer.status << " " << answer.body);
    }
}

BOOST_AUTO_TEST_CASE(content_types) {
    const WorkersLive live;
    for (const auto& type : nasty_content_types())
        for (const auto* body : {"", "{}", "email=a", "{\"email\":\"a@b.example\",\"password\":\"x\"}"}) {
            const auto answer = until_served([&] {
                return anybody().send(
                    {.method = "POST", .target = "/api/v1/auth", .headers = {{"Content-Type", type}}, .body = body});
            });
            check(answer, type + " " + body);
            BOOST_CHECK_MESSAGE(answer.status == 415 || answer.status == 400 || answer.status == 401,
                                type.substr(0, 60) << ": " << answer.status);
            if (!tradepost::core::lower_ascii(type).starts_with("application/json"))
                BOOST_CHECK_MESSAGE(answer.status == 415, type.substr(0, 60) << ": " << answer.status);
        }
}

BOOST_AUTO_TEST_CASE(header_values) {
    const WorkersLive live;
    for (const auto& value : nasty_header_values()) {
        auto client = anybody();
        for (const auto* name : {"Authorization", "If-None-Match", "If-Match", "Accept", "Accept-Encoding", "Range", "Cookie",
                                 "Origin", "Access-Control-Request-Method", "X-Request-Id", "Idempotency-Key",
                                 "X-HTTP-Method-Override", "Content-Type", "X-CSRF-Token", "Upgrade", "Via"})
            for (const auto* target : {"/api/v1/jobs?limit=1", "/api/v1/me"}) {
                const auto answer = client.send({.target = target, .headers = {{name, value}}});
                check(answer, name + (": " + value) + " to " + target);
                if (target == std::string("/api/v1/me"))
                    BOOST_CHECK_MESSAGE(answer.status == 401 || answer.status == 400,
                                        name << ": " << value.substr(0, 60) << ": " << answer.status);
            }
    }
}

BOOST_AUTO_TEST_CASE(methods) {
    const WorkersLive live;
    for (const std::string& method :
         {std::string("GET"), std::string("POST"), std::string("PUT"), std::string("PATCH"), std::string("DELETE"),
          std::string("OPTIONS"), std::string("LINK"), std::string("SEARCH"), std::string("A"), std::string(60, 'A'),
          std::string("GET_"), std::string("X-Y"), std::string("PRI")})
        for (const auto* target : {"/api/v1/jobs", "/api/v1/jobs/none", "/api/v1/me", "/api/v1/auth", "/api/v1/nothing",
                                   "/healthz", "/readyz", "/", "/api/v1/openapi.yaml?x"}) {
            if (method == "GET" && std::string(target).find("yaml") != std::string::npos) continue;
            check(anybody().send({.method = method, .target = target, .http2 = false}), method + " " + target);
        }
}

// HTTP/1.1 as only broken or hostile clients write it.
BOOST_AUTO_TEST_CASE(raw_requests) {
    const WorkersLive live;
    const std::string host = "Host: localhost\r\nConnection: close\r\n";
    const std::vector<std::string> requests{
        "GET /healthz HTTP/1.1\r\n" + host + "X: a\r\n folded\r\n\r\n",
        "GET /healthz HTTP/1.1\r\n" + host + "No colon\r\n\r\n",
        "GET /healthz HTTP/1.1\r\n" + host + ": no name\r\n\r\n",
        "GET /healthz HTTP/1.1\r\n" + host + "A b: c\r\n\r\n",
        "GET /healthz HTTP/1.1\r\n" + host + std::string("X: a\0b\r\n\r\n", 10),
        "GET /healthz HTTP/1.1\n" + host + "\n",
        "GET  /healthz  HTTP/1.1\r\n" + host + "\r\n",
        "GET healthz HTTP/1.1\r\n" + host + "\r\n",
        "GET * HTTP/1.1\r\n" + host + "\r\n",
        "OPTIONS * HTTP/1.1\r\n" + host + "\r\n",
        "GET /healthz HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: ../..\r\nConnection: close\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        "GET /healthz HTTP/2.0\r\n" + host + "\r\n",
        "GET /healthz HTTP/0.9\r\n\r\n",
        "GET /healthz HTTP/1.1x\r\n" + host + "\r\n",
        "POST /api/v1/auth HTTP/1.1\r\n" + host + "Content-Length: 99999999999999999999\r\n\r\n",
        "POST /api/v1/auth HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
        "POST /api/v1/auth HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
        "GET /healthz HTTP/1.1\r\n" + host + "Content-Length: 0\r\nContent-Length: 0\r\n\r\n",
        "GET /healthz HTTP/1.1\r\n" + host +
            "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n",
        "GET /healthz?\x80\xff HTTP/1.1\r\n" + host + "\r\n",
        "GET /\x80\xff HTTP/1.1\r\n" + host + "\r\n"};
    for (const auto& request : requests) {
        const auto answer = raw_exchange(stack().site(), request);
        // HTTP/0.9 has no headers to look at.
        if (answer.status == 0 && answer.failure.find("{\"") == 0) continue;
        check(answer, request);
    }
}

BOOST_AUTO_TEST_SUITE_END()
