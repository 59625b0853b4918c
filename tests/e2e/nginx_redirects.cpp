// Redirects and folders: nginx answers both in JSON, and redirects nothing but the folders of the dashboard and the reference.
#include "e2e/checks.h"

using namespace tradepost::test;

namespace {

Answer ask(const std::string& method, const std::string& target) {
    return raw_exchange(stack().site(), method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nginx_redirects)

// The address is relative, since only the client knows the port that it asked.
BOOST_AUTO_TEST_CASE(pages_without_their_slash_are_redirected) {
    for (const std::string folder : {"/dashboard", "/docs", "/docs/operators"})
        for (const std::string query : {"", "?x=1"}) BOOST_TEST_CONTEXT(folder + query) {
                const auto answer = ask("GET", folder + query);
                check_refused(answer, 301, "Moved permanently");
                BOOST_TEST(answer.count("location") == 1u);
                BOOST_TEST(answer.header("location").value_or("") == folder + "/");
            }
    const auto head = ask("HEAD", "/dashboard");
    BOOST_TEST(head.status == 301);
    BOOST_TEST(head.body == "");
    check_conventions(head);
    BOOST_TEST(head.header("location").value_or("") == "/dashboard/");
}

// People who type the host find the dashboard and the reference; programs are told that there is nothing.
BOOST_AUTO_TEST_CASE(the_host_alone) {
    const auto accepting = [](const std::string& method, const std::string& accept) {
        return raw_exchange(stack().site(),
                            method + " / HTTP/1.1\r\nHost: localhost\r\nAccept: " + accept + "\r\nConnection: close\r\n\r\n");
    };
    const auto page = accepting("GET", "text/html,application/xhtml+xml;q=0.9");
    BOOST_TEST(page.status == 200);
    BOOST_TEST(page.header("content-type").value_or("") == "text/html; charset=utf-8");
    BOOST_TEST(page.header("vary").value_or("").find("Accept") != std::string::npos);
    for (const auto* link : {R"(href="/docs/")", R"(href="/dashboard/")"}) BOOST_TEST(page.body.find(link) != std::string::npos);
    BOOST_TEST(accepting("HEAD", "text/html").status == 200);
    for (const auto* accept : {"*/*", "application/json"}) check_refused(accepting("GET", accept), 404, "Not found");
    check_refused(accepting("POST", "text/html"), 405, "Method not allowed");
}

BOOST_AUTO_TEST_CASE(other_methods_are_not_redirected) {
    for (const auto* target : {"/dashboard", "/dashboard?x=1", "/docs", "/docs/", "/docs/operators", "/docs/stock?x=1"})
        for (const auto* method : {"POST", "PUT", "DELETE", "TRACE"}) BOOST_TEST_CONTEXT(method << " " << target) {
                const auto answer = ask(method, target);
                check_refused(answer, 405, "Method not allowed");
                BOOST_TEST(answer.header("allow").value_or("") == "GET, HEAD, OPTIONS");
                BOOST_TEST(!answer.header("location"));
            }
    const auto options = ask("OPTIONS", "/dashboard");
    BOOST_TEST(options.status == 200);
    BOOST_TEST(options.body == R"({"data":{}})");
    BOOST_TEST(options.header("allow").value_or("") == "GET, HEAD, OPTIONS");
}

BOOST_AUTO_TEST_CASE(folders_are_404_with_and_without_their_slash) {
    for (const std::string folder :
         {"/api", "/api/v1", "/api/v1/diagnosis", "/api/v1/diagnosis/auth", "/api/v1/diagnosis/uploads", "/dashboard/api",
          "/dashboard/assets/css", "/dashboard/assets/pages", "/docs/assets", "/upload", "/uploads", "/uploads/00", "/.error",
          "/.file"})
        for (const std::string end : {"", "/"}) BOOST_TEST_CONTEXT(folder + end) {
                const auto answer = ask("GET", folder + end);
                check_refused(answer, 404, "Not found");
                BOOST_TEST(!answer.header("location"));
            }
    check_refused(ask("GET", "/dashboard/assets/"), 404, "Not found");
    check_refused(ask("TRACE", "/dashboard/api"), 404, "Not found");
}

BOOST_AUTO_TEST_SUITE_END()
