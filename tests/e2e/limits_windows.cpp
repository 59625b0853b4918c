// Rate limits (API rules, "Rate limits") on a stack with short windows, and behind a proxy that it trusts.
#include <thread>

#include "e2e/checks.h"

using namespace tradepost::test;

namespace {

constexpr int window = 10;  // of the second stack, seconds: the longest

// Repeats the call until it is refused; the refusal.
Answer until_limited(const std::function<Answer()>& call) {
    Answer answer;
    for (int i = 0; i < 200 && (i == 0 || answer.status != 429); ++i) answer = call();
    BOOST_REQUIRE_EQUAL(answer.status, 429);
    return answer;
}

void wait_as_told(const Answer& limited) {
    const int seconds = std::stoi(limited.header("retry-after").value_or("0"));
    BOOST_TEST(seconds >= 1);
    BOOST_TEST(seconds <= window);
    std::this_thread::sleep_for(std::chrono::seconds(seconds));
}

Answer from(const std::string& client_address, const std::string& peer = trusted_proxy) {
    return Client(own_stack().site(), peer).get("/api/v1/jobs", {{"X-Forwarded-For", client_address}});
}

std::string remaining(const Answer& answer) {
    return answer.header("ratelimit-remaining").value_or("-");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(limits_windows)

// A client that sleeps for Retry-After must succeed.
BOOST_AUTO_TEST_CASE(who_waits_for_retry_after_succeeds, *boost::unit_test::label("timing")) {
    Client client(own_stack().site());
    for (int round = 0; round < 2; ++round) {
        wait_as_told(until_limited([&] { return client.get("/api/v1/jobs"); }));
        BOOST_TEST(client.get("/api/v1/jobs").status == 200);
    }
}

BOOST_AUTO_TEST_CASE(sign_in_succeeds_after_retry_after, *boost::unit_test::label("timing")) {
    const auto user = own_stack().add_user();
    Client client(own_stack().site());
    wait_as_told(
        until_limited([&] { return client.post("/api/v1/auth", R"({"email":")" + user.email + R"(","password":"wrong"})"); }));
    sign_in(client, user);
}

BOOST_AUTO_TEST_CASE(a_trusted_proxy_tells_the_client) {
    const std::string client = "203.0.113." + std::to_string(1 + std::time(nullptr) % 200);
    BOOST_TEST(remaining(from(client)) == "4");
    BOOST_TEST(remaining(from(client)) == "3");
    BOOST_TEST(remaining(from("198.51.100.77")) == "4");
    // What the client itself wrote in front is not believed.
    BOOST_TEST(remaining(from("192.0.2.1, " + client)) == "2");
    // The proxy's own hop is skipped.
    BOOST_TEST(remaining(from(client + ", " + trusted_proxy)) == "1");
}

BOOST_AUTO_TEST_CASE(addresses_of_one_ipv6_network_share_a_window) {
    BOOST_TEST(remaining(from("2001:db8:1:2::a")) == "4");
    BOOST_TEST(remaining(from("2001:db8:1:2:ffff::b")) == "3");
    BOOST_TEST(remaining(from("2001:db8:1:3::a")) == "4");
}

BOOST_AUTO_TEST_CASE(another_peer_is_not_believed) {
    const auto peer = fresh_address();
    BOOST_TEST(remaining(from("203.0.113.201", peer)) == "4");
    BOOST_TEST(remaining(from("203.0.113.202", peer)) == "3");
}

BOOST_AUTO_TEST_SUITE_END()
