// /.well-known/security.txt (RFC 9116).
#include "core/time.h"
#include "e2e/checks.h"

using namespace tradepost::test;

BOOST_AUTO_TEST_SUITE(security_text)

BOOST_AUTO_TEST_CASE(what_the_configuration_says) {
    const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
    Client client(own_stack().site());
    const auto answer = client.get("/.well-known/security.txt");
    const auto now = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
    BOOST_TEST(answer.status == 200);
    BOOST_TEST(answer.count("content-type") == 1u);
    BOOST_TEST(answer.header("content-type").value_or("") == "text/plain; charset=utf-8");
    BOOST_TEST(answer.header("x-content-type-options").value_or("") == "nosniff");
    BOOST_TEST(answer.header("cache-control").value_or("") == "public, max-age=3600");
    BOOST_TEST(answer.header("content-security-policy").value_or("") == "default-src 'none'; frame-ancestors 'none'");
    const auto text = [&](auto day) {
        return "Contact: mailto:security@example.com\nContact: https://example.com/report\nExpires: " +
               tradepost::core::to_rfc3339(day + std::chrono::days(30)) + "\nCanonical: " + own_stack().site().url +
               "/.well-known/security.txt\nPolicy: https://example.com/policy\n";
    };
    BOOST_TEST((answer.body == text(today) || answer.body == text(now)), answer.body);
    const auto tag = answer.header("etag").value_or("");
    BOOST_TEST(client.get("/.well-known/security.txt", {{"If-None-Match", tag}}).status == 304);
}

BOOST_AUTO_TEST_CASE(without_a_contact_there_is_none) {
    check_refused(Client(stack().site()).get("/.well-known/security.txt"), 404, "Not found");
}

BOOST_AUTO_TEST_SUITE_END()
