// Refusals by nginx itself (API rules, "Errors"): JSON with the usual headers, or the problem that a worker would answer.
#include "e2e/checks.h"
#include "support/fault_injection.h"
#include "support/pictures.h"
#include "support/uploads.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

struct Refusal {
    std::string line, headers;  // of the request; the headers follow `Accept`
    int status;
    const char* error;
};

Answer ask(const Stack& asked, const Refusal& refusal, const std::string& accept) {
    return raw_exchange(asked.site(),
                        refusal.line + " HTTP/1.1\r\nAccept: " + accept + "\r\n" + refusal.headers + "Connection: close\r\n\r\n");
}

void check_both_forms(const Stack& asked, const std::vector<Refusal>& refusals) {
    for (const auto& refusal : refusals) BOOST_TEST_CONTEXT(refusal.line.substr(0, 80) << " " << refusal.headers.substr(0, 80)) {
            check_refused(ask(asked, refusal, "*/*"), refusal.status, refusal.error);
            const auto problem = ask(asked, refusal, "application/problem+json, application/json;q=0.9");
            check_problem(problem, {refusal.status, refusal.error});
            // A worker's errors are not cached.
            const bool is_cached = problem.header("cache-control").value_or("") != "no-store";
            BOOST_TEST((!is_cached || problem.header("vary").value_or("") == "Accept"));
        }
}

// The path of an uploaded file.
std::string stored_pdf() {
    const auto upload =
        DealerClient(stack(), add_dealer(stack())).send("POST", "/api/v1/uploads", small_upload(pdf("x"), "application/pdf"));
    const std::string url = upload.json()["data"]["url"];
    return url.substr(url.find("/uploads/"));
}

}  // namespace

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

BOOST_AUTO_TEST_CASE(each_refusal_has_both_forms) {
    const auto file = stored_pdf();
    const std::string host = "Host: localhost\r\n";
    check_both_forms(stack(),
                     {
                         {"GET /", host, 404, "Not found"},
                         {"GET /nothing", host, 404, "Not found"},
                         {"GET /api/v1", host, 404, "Not found"},
                         {"GET /dashboard/api", host, 404, "Not found"},
                         {"GET /dashboard/a.js", host, 404, "Not found"},
                         {"GET /docs/nothing", host, 404, "Not found"},
                         {"GET /uploads/nothing", host, 404, "Not found"},
                         {"GET /.error/404.problem", host, 404, "Not found"},
                         {"POST /dashboard/", host, 405, "Method not allowed"},
                         {"PUT /docs", host, 405, "Method not allowed"},
                         {"DELETE " + file, host, 405, "Method not allowed"},
                         {"PUT /api/v1/openapi.json", host, 405, "Method not allowed"},
                         {"TRACE /docs/", host, 405, "Method not allowed"},
                         {"TRACE /api/v1/jobs", host, 405, "Method not allowed"},
                         {"GET /docs/operators/", host + "Via: 1.1 x\r\n", 403, "Forbidden"},
                         {"GET /metrics", host + "X-Real-IP: 127.0.0.1\r\n", 403, "Forbidden"},
                         {"GET /dashboard/assets/icon.svg", host + "If-Match: \"x\"\r\n", 412, "Precondition failed"},
                         {"POST /api/v1/auth", host + "Content-Length: 2000000000\r\n", 413, "Request body too large"},
                         {"GET /nothing?" + std::string(17'000, 'x'), host, 414, "URI too long"},
                         {"GET /nothing", "Host: other.example\r\n", 421, "Misdirected request"},
                         {"GET /nothing", "", 400, "Bad request"},
                         {"GET /api/v1/me", host + "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n", 400, "Bad request"},
                         {"POST /api/v1/auth", host + "Content-Length: ten\r\n", 400, "Bad request"},
                         {"GET /healthz", host + "X-Long: " + std::string(100'000, 'x') + "\r\n", 400, "Bad request"},
                     });
}

// The answer has headers of the file as well.
BOOST_AUTO_TEST_CASE(a_range_that_a_file_does_not_have) {
    const auto file = stored_pdf();
    for (const bool wants : {false, true}) {
        auto headers = wants ? wants_problem : Headers();
        headers.emplace_back("Range", "bytes=9999999-");
        const auto answer = Client(stack().site()).get(file, headers);
        BOOST_TEST(answer.status == 416);
        BOOST_TEST(answer.count("content-type") == 1u);
        BOOST_TEST(answer.count("vary") == 1u);
        if (wants)
            check_problem_body(answer, {416, "Range not satisfiable"});
        else
            BOOST_TEST(answer.body == R"({"error":"Range not satisfiable"})");
    }
}

// Other tests bring about each of these, and look at the JSON.
BOOST_AUTO_TEST_CASE(refusals_of_floods_and_of_what_is_away_have_both_forms) {
    const std::pair<int, const char*> rows[] = {{409, "Conflict: ticket is in use"}, {429, too_many_requests},
                                                {500, "Internal server error"},      {502, "Bad gateway"},
                                                {503, "Service unavailable"},        {504, "Gateway timeout"}};
    NginxChanged server("nginx/server.conf");
    std::string locations = "server_tokens off;\n";
    std::vector<Refusal> refusals;
    for (const auto& [status, error] : rows) {
        const auto code = std::to_string(status);
        locations += "location = /away/" + code + " { return " + code + "; }\n";
        refusals.push_back({"GET /away/" + code, "Host: localhost\r\n", status, error});
    }
    server.replace("server_tokens off;", locations);
    reload_nginx();
    check_both_forms(fault_injection_stack(), refusals);
    for (const auto& [status, wait] : {std::pair(429, "1"), std::pair(503, "5")}) {
        const auto answer = Client(fault_injection_stack().site()).get("/away/" + std::to_string(status), wants_problem);
        BOOST_TEST(answer.header("retry-after").value_or("") == wait);
    }
}

BOOST_AUTO_TEST_CASE(accept_is_read_as_the_workers_read_it) {
    for (const std::string accept : {"application/problem+json",
                                     "Application/Problem+JSON; q=0.5",
                                     "application/json, application/problem+json",
                                     "text/html;q=0.9,\tapplication/problem+json ;q=0.1",
                                     "application/problem+json;q=0",
                                     "application/problem+json;q=0.000",
                                     "application/problem+json;q=0.001",
                                     "application/problem+json;q=1, */*",
                                     "application/problem+json;q=0, */*;q=1",
                                     "application/problem+json;charset=utf-8",
                                     "application/problem+json;charset=utf-8;q=0",
                                     "application/problem+json;a=q",
                                     "application/problem+json x",
                                     "application/problem+json x;q=0",
                                     "application/problem+jsonx",
                                     "xapplication/problem+json",
                                     "application/problem+xml",
                                     "application/problem+xml, application/problem+json",
                                     "application/*",
                                     "*/*",
                                     "application/json",
                                     ",, ,application/problem+json",
                                     "application/problem+json;q=0, application/problem+json;q=1",
                                     "application/problem+json;q=1, application/problem+json;q=0",
                                     "application/problem+json;Q=0",
                                     ";application/problem+json"}) {
        const auto answer = Client(stack().site()).get("/nothing", {{"Accept", accept}});
        BOOST_TEST((answer.header("content-type") == problem_type) == http::accepts_problem(accept), accept);
        const auto of_a_worker = Client(stack().site()).get("/api/v1/nothing", {{"Accept", accept}});
        BOOST_TEST((of_a_worker.header("content-type") == problem_type) == http::accepts_problem(accept), accept);
    }
}

BOOST_AUTO_TEST_SUITE_END()
