// Plain HTTP beside HTTPS (nginx/plain.conf.in): a token that is sent over it has been read by others, and so has a token in an address. Both
// are revoked, and their owners get a letter.
#include "e2e/checks.h"
#include "support/dealer.h"
#include "support/fault_injection.h"
#include "support/held_port.h"

using namespace tradepost;
using namespace tradepost::test;
using nlohmann::json;

namespace {

// While it lives, the fault injection stack serves plain HTTP as an installed instance does, and nobody delivers its letters.
class PlainServer {
public:
    explicit PlainServer(const std::string& flood = "")
        : nginx_("nginx/private.conf"), site_{"http://localhost:" + std::to_string(held_.number()), ""} {
        const auto& stack = fault_injection_stack();
        auto server = read_file("nginx/plain.conf.in");
        for (const auto& [word, value] :
             {std::pair<std::string, std::string>{"LISTEN_PLAIN", "listen 127.0.0.1:" + std::to_string(site_.port()) + ";"},
              {"NAME", "localhost"},
              {"ACCESS_LOG", stack.state() + "/log/access.log"},
              {"FLOOD", flood},
              {"REALIP", ""},
              {"NGINX", stack.state() + "/nginx"},
              {"ACME", stack.state() + "/acme"},
              {"BASE_URL", stack.site().url},
              {"RUN", stack.state() + "/run"}}) {
            const auto placeholder = "@" + word + "@";
            for (auto at = server.find(placeholder); at != std::string::npos; at = server.find(placeholder))
                server.replace(at, placeholder.size(), value);
        }
        nginx_.replace("/nginx/server.conf;", "/nginx/server.conf;\n" + server);
        reload_nginx();
        BOOST_REQUIRE(stack.sv("down", "deliver").code == 0);
    }
    ~PlainServer() { fault_injection_stack().sv("up", "deliver"); }

    Answer send(const std::string& method, const std::string& target, const Headers& headers = {}) const {
        std::string text = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
        for (const auto& [name, value] : headers) text += std::string(name).append(": ").append(value).append("\r\n");
        return raw_exchange(site_, text + "\r\n", false);
    }

private:
    HeldPort held_;
    NginxChanged nginx_;
    Site site_;
};

std::size_t letters() {
    const auto listed = fault_injection_stack().ctl({"outbox", "list", "--kind", "mail token", "--state", "waiting", "--json"});
    BOOST_REQUIRE_MESSAGE(listed.code == 0, listed.err);
    return json::parse(listed.out).size();
}

bool works(const std::string& token) {
    return Client(fault_injection_stack().site()).get("/api/v1/me", bearer(token)).status == 200;
}

// A new token, which must be revoked once `send` has sent it, with one letter to its owner. What `send` returns is the answer.
Answer leak(const User& owner, const std::function<Answer(const std::string&)>& send) {
    const auto token = fault_injection_stack().mint(owner);
    BOOST_TEST(works(token));
    const auto before = letters();
    const auto answer = send(token);
    BOOST_TEST(!works(token));
    BOOST_TEST(letters() == before + 1);
    // nginx writes its buffer once a second.
    const auto id = answer.header("x-request-id").value_or("none");
    BOOST_TEST(await([&] { return fault_injection_stack().lines_with("access", "id=" + id) == 1; }));
    for (const auto* log : {"access", "nginx-error", "api"}) BOOST_TEST(fault_injection_stack().lines_with(log, token) == 0, log);
    return answer;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plain_http)

BOOST_AUTO_TEST_CASE(a_token_sent_over_plain_http_is_revoked) {
    const auto owner = add_dealer(fault_injection_stack()).user;
    const PlainServer plain;
    for (const auto* method : {"GET", "HEAD", "DELETE", "OPTIONS", "TRACE"}) BOOST_TEST_CONTEXT(method) {
            const auto answer =
                leak(owner, [&](const std::string& token) { return plain.send(method, "/api/v1/me", bearer(token)); });
            BOOST_TEST(answer.status == 403);
            if (method != std::string("HEAD")) BOOST_TEST(answer.body == R"({"error":"Forbidden"})");
        }
    const auto problem = leak(owner, [&](const std::string& token) {
        auto headers = bearer(token);
        headers.insert(headers.end(), wants_problem.begin(), wants_problem.end());
        // The answer does not wait for the body.
        headers.emplace_back("Content-Length", "9000000");
        return plain.send("POST", "/api/v1/stock", headers);
    });
    check_problem(problem, http::forbidden());
}

BOOST_AUTO_TEST_CASE(a_token_in_an_address_is_revoked_on_both_ports) {
    const auto owner = add_dealer(fault_injection_stack()).user;
    const PlainServer plain;
    for (const std::string before : {"/api/v1/jobs?token=", "/api/v1/jobs?api_token=", "/nothing?x=1&access_token=", "/api/v1/"})
        for (const auto* method : {"GET", "POST"}) BOOST_TEST_CONTEXT(method << " " << before) {
                const auto answer = leak(owner, [&](const std::string& token) { return plain.send(method, before + token); });
                check_refused(answer, 403, "Forbidden");
                BOOST_TEST(!answer.header("location"));
            }
    for (const std::string before : {"/api/v1/jobs?token=", "/api/v1/stock?x=1&api_token=", "/api/v1/"})
        BOOST_TEST_CONTEXT(before) {
            const auto answer =
                leak(owner, [&](const std::string& token) { return Client(fault_injection_stack().site()).get(before + token); });
            check_refused(answer, 401, "Unauthorized");
        }
}

BOOST_AUTO_TEST_CASE(requests_without_a_token) {
    const PlainServer plain;
    const auto before = letters();
    const std::string digits(64, 'a'), base = fault_injection_stack().site().url;
    for (const std::string& target :
         {std::string("/api/v1/jobs?page=2"), "/uploads/aa/" + digits + ".jpg", "/x?y=" + digits + "a"}) {
        const auto answer = plain.send("GET", target);
        check_refused(answer, 301, "Moved permanently");
        BOOST_TEST(answer.header("location").value_or("") == base + target);
    }
    check_refused(plain.send("POST", "/api/v1/auth"), 403, "Forbidden");
    check_refused(plain.send("GET", "/api/v1/me", {{"Authorization", "Basic dXNlcjpwYXNz"}}), 403, "Forbidden");
    check_refused(plain.send("GET", "/api/v1/jobs?token=" + digits), 403, "Forbidden");
    check_refused(plain.send("TRACE", "/api/v1/jobs"), 403, "Forbidden");
    BOOST_TEST(letters() == before);
    // Nobody can revoke it now.
    const auto& stack = fault_injection_stack();
    BOOST_REQUIRE(stack.sv("down", "api").code == 0);
    check_refused(plain.send("GET", "/api/v1/me", bearer(digits)), 403, "Forbidden");
    check_problem(plain.send("GET", "/api/v1/me", {{"Authorization", "Bearer x"}, wants_problem[0]}), http::forbidden());
    check_refused(plain.send("GET", "/api/v1/jobs?token=" + digits), 403, "Forbidden");
    BOOST_TEST(stack.lines_with("nginx-error", digits) == 0);
    BOOST_TEST(stack.sv("up", "api").code == 0);
    BOOST_TEST(await([&] { return stack.answers(); }));
}

BOOST_AUTO_TEST_CASE(a_flood_of_tokens) {
    NginxChanged zones("nginx/http.conf");
    zones.replace("tradepost_client_requests:10m rate=500r/s", "tradepost_client_requests:10m rate=1r/m");
    const PlainServer plain(
        "set_real_ip_from 127.0.0.0/8; real_ip_header X-Forwarded-For; limit_req zone=tradepost_client_requests; "
        "limit_req_status 429;");
    auto headers = bearer("x");
    headers.emplace_back("X-Forwarded-For", "192.0.2.9");
    Answer answer;
    BOOST_TEST(await([&] { return (answer = plain.send("GET", "/api/v1/me", headers)).status == 429; }));
    check_refused(answer, 429, too_many_requests);
    BOOST_TEST(answer.header("retry-after").value_or("") == "1");
}

BOOST_AUTO_TEST_SUITE_END()
