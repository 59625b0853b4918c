// Request bodies that do not arrive: no handler acts on half a body, and no worker waits for it.
#include <csignal>

#include "e2e/checks.h"

using namespace tradepost::test;

namespace {

std::string announced(const std::string& target, std::size_t length) {
    return "POST " + target +
           " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(length) +
           "\r\n\r\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(workers_bodies)

BOOST_AUTO_TEST_CASE(an_aborted_body_reaches_no_handler) {
    const auto user = stack().add_user();
    const auto body = sign_in_body(user);
    const auto workers = stack().workers("auth");
    const int errors = stack().lines_with("auth", "status=5");
    const int sign_ins = stack().lines_with("auth", "route=/api/v1/auth");
    for (const std::size_t sent : {std::size_t(0), std::size_t(1), body.size() / 2, body.size() - 1}) {
        RawConnection connection(stack().site());
        connection.send(announced("/api/v1/auth", body.size()) + body.substr(0, sent));
        connection.close();
    }
    // A chunked one without its end, and one whose whole text stands in an unfinished chunk.
    for (const std::string& chunk : {std::string("10\r\n{\"email\""), "1000\r\n" + body}) {
        RawConnection connection(stack().site());
        connection.send(
            "POST /api/v1/auth HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: "
            "chunked\r\n\r\n" +
            chunk);
        connection.close();
    }
    // Whoever asks next is answered, by the same workers.
    for (int i = 0; i < 4; ++i)
        BOOST_TEST(Client(stack().site()).send({.method = "OPTIONS", .target = "/api/v1/auth"}).status == 200);
    BOOST_TEST(stack().workers("auth") == workers, boost::test_tools::per_element());
    BOOST_TEST(stack().lines_with("auth", "status=5") == errors);
    BOOST_TEST(stack().lines_with("auth", "route=/api/v1/auth") == sign_ins + 4);
    BOOST_TEST(nlohmann::json::parse(stack().ctl({"token", "list", "--email", user.email, "--json"}).out).size() == 0u);
}

BOOST_AUTO_TEST_CASE(slow_bodies_occupy_no_worker) {
    const auto user = stack().add_user();
    const auto body = sign_in_body(user);
    std::vector<std::unique_ptr<RawConnection>> slow;
    for (int i = 0; i < 20; ++i) {
        slow.push_back(std::make_unique<RawConnection>(stack().site()));
        slow.back()->send(announced("/api/v1/auth", body.size()) + body.substr(0, 5));
    }
    Client client(stack().site());
    for (int i = 0; i < 3; ++i) sign_in(client, user);
    // And one of them is served once its rest is there.
    slow.front()->send(body.substr(5));
    BOOST_TEST(await([&] {
        return nlohmann::json::parse(stack().ctl({"token", "list", "--email", user.email, "--json"}).out).size() == 4;
    }));
}

// A client that leaves while its answer is made costs the worker nothing.
BOOST_AUTO_TEST_CASE(a_client_that_does_not_wait_harms_nobody) {
    const auto workers = stack().workers();
    for (int i = 0; i < 50; ++i) {
        RawConnection connection(stack().site());
        connection.send("GET /api/v1/jobs?limit=100 HTTP/1.1\r\nHost: localhost\r\n\r\n");
        connection.close();
    }
    Client client(stack().site());
    for (int i = 0; i < 20; ++i) BOOST_TEST(client.get("/healthz").status == 200);
    BOOST_TEST(stack().workers() == workers, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
