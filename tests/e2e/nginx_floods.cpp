// nginx's own limits of requests and connections count an IPv6 client by its /64. The fault injection stack, with limits that one
// request reaches, and told by its clients which address they have.
#include "e2e/checks.h"
#include "support/fault_injection.h"

using namespace tradepost::test;

namespace {

struct AnyAddress : NginxChanged {
    AnyAddress() : NginxChanged("nginx/server.conf") {
        replace("server_tokens off;", "server_tokens off; set_real_ip_from 127.0.0.0/8; real_ip_header X-Forwarded-For;");
    }
};

// Each row is one client.
const std::vector<std::vector<std::string>> clients{
    {"2001:db8:0:1::1", "2001:db8:0:1::1", "2001:0DB8:0000:0001:ffff:ffff:ffff:ffff", "2001:db8:0:1:0:0:0:2"},
    {"2001:db8:0:2::1", "2001:db8:0:2::192.0.2.9"},
    {"2001:db8::1", "2001:db8:0:0:1::1", "2001:db8::"},
    {"a0a:a0a:a0a:a0a::1", "a0a:a0a:a0a:a0a:a0a:a0a:a0a:a0a"},  // line feeds, in binary
    {"::1", "::2", "::192.0.2.9", "::fffe:192.0.2.9"},
    {"192.0.2.9", "::ffff:192.0.2.9", "::ffff:c000:209"},
    {"192.0.2.10"},
    {"::ffff:192.0.2.11", "192.0.2.11"},
};

Answer ask_as(const std::string& address) {
    return Client(fault_injection_stack().site()).get("/healthz", {{"X-Forwarded-For", address}});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nginx_floods)

BOOST_AUTO_TEST_CASE(requests_of_one_client) {
    AnyAddress server;
    NginxChanged zones("nginx/http.conf"), limits("nginx/snippets/flood.conf");
    zones.replace("tradepost_client_requests:10m rate=500r/s", "tradepost_client_requests:10m rate=1r/m");
    limits.replace(" burst=3000 nodelay", "");
    reload_nginx();
    for (const auto& addresses : clients)
        for (std::size_t i = 0; i < addresses.size(); ++i) BOOST_TEST_CONTEXT(addresses[i]) {
                const auto answer = ask_as(addresses[i]);
                if (i == 0) {
                    // Who started the stack has asked from there, where localhost is that.
                    BOOST_TEST((answer.status == 200 || addresses[i] == "::1"));
                    continue;
                }
                check_refused(answer, 429, too_many_requests);
                BOOST_TEST(answer.header("retry-after").value_or("") == "1");
            }
}

BOOST_AUTO_TEST_CASE(connections_of_one_client) {
    AnyAddress server;
    NginxChanged limits("nginx/snippets/flood.conf");
    limits.replace("limit_conn tradepost_client_connections 400", "limit_conn tradepost_client_connections 1");
    reload_nginx();
    // A body that does not come keeps a request open.
    RawConnection held(fault_injection_stack().site());
    held.send(
        "POST /api/v1/auth HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 2001:db8:3:4::1\r\nContent-Type: application/json\r\n"
        "Content-Length: 10\r\n\r\n");
    BOOST_TEST(await([] { return ask_as("2001:db8:3:4:5::6").status == 429; }));
    BOOST_TEST(ask_as("2001:db8:3:5::1").status == 200);
    held.close();
    BOOST_TEST(await([] { return ask_as("2001:db8:3:4:5::6").status == 200; }));
}

BOOST_AUTO_TEST_SUITE_END()
