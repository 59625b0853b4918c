// nginx answers for its own host only, by the certificate of that host (RFC 9110, section 15.5.20).
#include "e2e/checks.h"

using namespace tradepost::test;

namespace {

Site at(const std::string& host) {
    auto site = stack().site();
    site.url = "https://" + host + ":" + std::to_string(site.port());
    return site;
}

// A request to the stack with that name in the TLS handshake; status and body.
std::string with_tls_name(const std::string& name, const std::string& host) {
    const auto port = std::to_string(stack().site().port());
    return run_command({"curl", "--silent", "--noproxy", "*", "--ipv4", "--insecure", "--connect-to",
                        name + ":" + port + ":127.0.0.1:" + port, "--header", "Host: " + host, "--write-out", " %{http_code}",
                        "https://" + name + ":" + port + "/healthz"})
        .out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nginx_hosts)

BOOST_AUTO_TEST_CASE(another_host_is_421) {
    Client client(stack().site());
    for (const std::string host : {"evil.example", "evil.example:443", "localhost.evil.example", "evillocalhost", "127.0.0.2",
                                   "[::2]", "127.0.0.1", "[::1]"})  // of another handshake than that for localhost
        for (const bool http2 : {false, true})
            for (const std::string target : {"/healthz", "/api/v1/me", "/nothing", "/dashboard/"})
                BOOST_TEST_CONTEXT(host << " " << target) {
                    const auto answer = client.send({.target = target, .headers = {{"Host", host}}, .http2 = http2});
                    // A load balancer asks an address for its health.
                    if (target == "/healthz" && (host.starts_with("127") || host.starts_with("[")))
                        BOOST_TEST(answer.status == 200);
                    else
                        check_refused(answer, 421, "Misdirected request");
                }
    check_refused(
        raw_exchange(stack().site(), "GET https://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
        421, "Misdirected request");
}

BOOST_AUTO_TEST_CASE(its_own_host_however_spelt) {
    Client client(stack().site());
    for (const std::string host : {"localhost", "LocalHost", "localhost:1", "localhost."}) BOOST_TEST_CONTEXT(host)
    BOOST_TEST(client.send({.target = "/healthz", .headers = {{"Host", host}}}).status == 200);
}

// A client names no address in the handshake (RFC 6066, section 3).
BOOST_AUTO_TEST_CASE(the_private_stack_s_addresses) {
    BOOST_TEST(Client(at("127.0.0.1")).get("/healthz").status == 200);
    BOOST_TEST(Client(at("[::1]"), "::1").get("/healthz").status == 200);
    check_refused(Client(at("127.0.0.1")).send({.target = "/healthz", .headers = {{"Host", "evil.example"}}}), 421,
                  "Misdirected request");
}

BOOST_AUTO_TEST_CASE(a_handshake_for_another_host) {
    const std::string served = R"({"data":{"status":"ok"}} 200)", refused = R"({"error":"Misdirected request"} 421)";
    BOOST_TEST(with_tls_name("localhost", "localhost") == served);
    BOOST_TEST(with_tls_name("LOCALHOST", "localhost") == served);
    BOOST_TEST(with_tls_name("evil.example", "localhost") == refused);
    BOOST_TEST(with_tls_name("evil.example", "evil.example") == refused);
    BOOST_TEST(with_tls_name("evil.example", "127.0.0.1") == refused);
    BOOST_TEST(with_tls_name("localhost", "evil.example") == refused);
}

BOOST_AUTO_TEST_SUITE_END()
