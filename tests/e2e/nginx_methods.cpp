// Methods (API rules, "Conventions"): HEAD wherever GET works, OPTIONS and every 405 with the resource's true Allow.
#include "e2e/checks.h"
#include "support/dealer.h"

using namespace tradepost::test;

namespace {

struct Resource {
    std::string target, allow;
    bool has(const std::string& method) const { return allow.find(method) != std::string::npos; }
};

const std::vector<Resource>& resources() {
    static const std::vector<Resource> all = [] {
        std::vector<Resource> made;
        Client client(stack().site());
        for (const std::string kind : {"jobs", "events", "posts"}) {
            made.push_back({"/api/v1/" + kind, "GET, HEAD, OPTIONS, POST"});
            const std::string slug = client.get("/api/v1/" + kind + "?limit=1").json()["data"][kind][0]["slug"];
            made.push_back({"/api/v1/" + kind + "/" + slug, "DELETE, GET, HEAD, OPTIONS, PATCH"});
        }
        for (const auto* target : {"/api/v1/stock", "/api/v1/enquiries"}) made.push_back({target, "GET, HEAD, OPTIONS, POST"});
        made.push_back({"/api/v1/accounts", "GET, HEAD, OPTIONS, PATCH"});
        made.push_back({"/api/v1/notification_tokens", "GET, HEAD, OPTIONS, POST"});
        made.push_back({"/api/v1/stock/by-reference/a%2Fb", "DELETE, GET, HEAD, OPTIONS, PATCH, PUT"});
        made.push_back({"/api/v1/me", "GET, HEAD, OPTIONS"});
        made.push_back({"/api/v1/openapi.yaml", "GET, HEAD, OPTIONS"});
        made.push_back({"/api/v1/openapi.json", "GET, HEAD, OPTIONS"});
        made.push_back({"/healthz", "GET, HEAD, OPTIONS"});
        made.push_back({"/readyz", "GET, HEAD, OPTIONS"});
        made.push_back({"/api/v1/auth", "DELETE, OPTIONS, POST"});
        return made;
    }();
    return all;
}

std::string sorted(const std::string& list) {
    std::vector<std::string> items{""};
    for (const char c : list) {
        if (c == ',')
            items.emplace_back();
        else if (c != ' ')
            items.back() += c;
    }
    std::sort(items.begin(), items.end());
    std::string joined;
    for (const auto& item : items) joined += (joined.empty() ? "" : ", ") + item;
    return joined;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nginx_methods)

// nginx itself refuses TRACE and CONNECT; the answer must not tell them apart from others.
BOOST_AUTO_TEST_CASE(unknown_methods_are_405_with_the_true_allow) {
    for (const auto& resource : resources())
        for (const std::string method : {"TRACE", "CONNECT", "BREW", "PUT", "PROPFIND", "M-SEARCH", "PATCH"})
            BOOST_TEST_CONTEXT(method << " " << resource.target) {
                if (resource.has(method)) continue;
                const auto answer = raw_exchange(
                    stack().site(), method + " " + resource.target +
                                        " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                check_refused(answer, 405, "Method not allowed");
                BOOST_TEST(answer.count("allow") == 1u);
                BOOST_TEST(sorted(answer.header("allow").value_or("")) == resource.allow);
            }
}

BOOST_AUTO_TEST_CASE(unknown_methods_over_http2) {
    Client client(stack().site());
    for (const auto& resource : resources())
        for (const auto* method : {"TRACE", "BREW", "PUT"}) BOOST_TEST_CONTEXT(method << " " << resource.target) {
                if (resource.has(method)) continue;
                const auto answer = client.send({.method = method, .target = resource.target});
                check_refused(answer, 405, "Method not allowed");
                BOOST_TEST(sorted(answer.header("allow").value_or("")) == resource.allow);
            }
}

BOOST_AUTO_TEST_CASE(unknown_paths_are_404_whatever_the_method) {
    for (const auto* method : {"TRACE", "CONNECT", "BREW", "DELETE", "OPTIONS", "POST"})
        for (const std::string target : {"/nothing", "/api/v1/nothing", "/api/v1/jobs/a/b", "/.error/405"})
            BOOST_TEST_CONTEXT(method << " " << target) {
                const auto answer = raw_exchange(
                    stack().site(), method + (" " + target) + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
                check_refused(answer, 404, "Not found");
                BOOST_TEST(!answer.header("allow"));
            }
}

BOOST_AUTO_TEST_CASE(options_has_the_true_allow_and_empty_data) {
    Client client(stack().site());
    for (const auto& resource : resources()) BOOST_TEST_CONTEXT(resource.target) {
            const auto answer = client.send({.method = "OPTIONS", .target = resource.target});
            BOOST_TEST(answer.status == 200);
            BOOST_TEST(answer.body == R"({"data":{}})");
            check_conventions(answer);
            BOOST_TEST(sorted(answer.header("allow").value_or("")) == resource.allow);
        }
}

BOOST_AUTO_TEST_CASE(head_has_the_headers_of_get_and_no_body) {
    const auto token = add_dealer(stack()).token;
    Client client(stack().site());
    auto writing = bearer(token);
    writing.emplace_back("Content-Type", "application/json");
    BOOST_TEST(
        client
            .send({.method = "PUT", .target = "/api/v1/stock/by-reference/a%2Fb", .headers = writing, .body = R"({"title":"A"})"})
            .status == 201);
    for (const auto& resource : resources())
        for (const bool http2 : {false, true}) BOOST_TEST_CONTEXT(resource.target << " over HTTP/" << (http2 ? 2 : 1)) {
                if (!resource.has("GET")) continue;
                Message message{.target = resource.target, .headers = bearer(token), .http2 = http2};
                auto get = client.send(message);
                message.method = "HEAD";
                auto head = client.send(message);
                BOOST_TEST(get.status == 200);
                BOOST_TEST(head.status == 200);
                BOOST_TEST(head.body == "");
                // nginx puts the address of the service into the description, so it does not know the length before.
                const bool is_description = resource.target.starts_with("/api/v1/openapi.");
                BOOST_TEST(head.header("content-length").value_or("none") ==
                           (is_description ? "none" : std::to_string(get.body.size())));
                const auto comparable = [](Headers headers) {
                    std::erase_if(headers, [](const auto& h) {
                        return h.first == "x-request-id" || h.first == "date" || h.first == "x-next-updated-since" ||
                               h.first == "transfer-encoding" || h.first.starts_with("ratelimit-");
                    });
                    std::sort(headers.begin(), headers.end());
                    std::string text;
                    for (const auto& [name, value] : headers) text += name + ": " + value + "\n";
                    return text;
                };
                BOOST_TEST(comparable(head.headers) == comparable(get.headers));
            }
}

BOOST_AUTO_TEST_CASE(head_of_what_is_refused_has_no_body) {
    Client client(stack().site());
    const std::pair<const char*, int> cases[] = {
        {"/nothing", 404}, {"/api/v1/me", 401}, {"/api/v1/auth", 405}, {"/api/v1/jobs?page=0", 400}, {"/api/v1/jobs/none", 404}};
    for (const auto& [target, status] : cases) BOOST_TEST_CONTEXT(target) {
            const auto answer = client.send({.method = "HEAD", .target = target});
            BOOST_TEST(answer.status == status);
            BOOST_TEST(answer.body == "");
            check_conventions(answer);
        }
}

BOOST_AUTO_TEST_SUITE_END()
