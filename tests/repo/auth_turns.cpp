// A worker that hashes passwords refuses what could not begin in time, and what would leave other addresses no worker.
#include <unistd.h>

#include <filesystem>

#include "app.h"
#include "repo/auth_support.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

struct Fixture : test::AuthFixture {
    ~Fixture() { std::filesystem::remove_all(folder); }

    http::Response sign_in(const std::string& address, std::optional<core::Time> queued_at = {}) {
        http::Request request;
        request.method = "POST";
        request.target = "/api/v1/auth";
        request.headers = {{"content-type", "application/json"}};
        request.body = R"({"email": "nobody@example.com", "password": "x"})";
        request.client_address = address;
        request.queued_at = queued_at;
        auto response = app.handle(request);
        // As a worker does with a request that waits for its share.
        while (const auto resume = std::move(response.resume)) response = resume();
        if (response.after) response.after();
        return response;
    }
    void check_late(const http::Response& response) {
        BOOST_TEST(response.status == 503);
        BOOST_TEST(response.body == R"({"error":"Service unavailable"})");
        BOOST_TEST(response.header("Retry-After").value_or("") == "5");
    }
    void check_over_its_share(const http::Response& response) {
        BOOST_TEST(response.status == 429);
        BOOST_TEST(response.body == R"({"error":"Too many requests. Please try again later."})");
        BOOST_TEST(response.header("Retry-After").value_or("") == "1");
    }

    std::string folder = [] {
        auto pattern = (std::filesystem::temp_directory_path() / "tradepost-turns-XXXXXX").string();
        return std::string(mkdtemp(pattern.data()));
    }();
    core::Config config = [this] {
        core::Config made;
        made.database = database.config();
        made.auth = {.argon2_memory_kib = 64, .argon2_passes = 1};
        made.rate_limits.file = folder + "/limits";
        return made;
    }();
    std::unique_ptr<limits::Limiter> limiter = limits::make_limiter(config, clock);
    limits::Admission own{folder + "/turns", 2, clock}, of_another{folder + "/turns", 2, clock};
    App app{config, clock, *limiter, nullptr, nullptr, "auth", &own};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(auth_turns, Fixture)

BOOST_AUTO_TEST_CASE(three_seconds_in_the_queue_are_too_many) {
    BOOST_TEST(sign_in("192.0.2.2", clock.now() - 1min).status == 401);  // the pool was starting
    clock.advance(1h);
    BOOST_TEST(sign_in("192.0.2.1", clock.now() - 2999ms).status == 401);
    BOOST_TEST(sign_in("192.0.2.1", clock.now() + 1h).status == 401);  // a clock was set back
    const auto late = sign_in("192.0.2.1", clock.now() - 3s);
    check_late(late);
    BOOST_TEST(!late.header("RateLimit-Remaining"));
    // It has used no attempt.
    BOOST_TEST(sign_in("192.0.2.1").header("RateLimit-Remaining").value_or("") == "5");
}

BOOST_AUTO_TEST_CASE(an_address_that_has_its_share_of_the_workers_is_refused) {
    const std::vector<std::string> network{"address 2001:db8::/64"};
    BOOST_TEST((of_another.admit(limits::Cost::hash, network) == limits::Admission::Refusal::none));
    check_over_its_share(sign_in("2001:db8::1"));
    check_over_its_share(sign_in("2001:db8::2:3"));
    BOOST_TEST(sign_in("2001:db8:0:1::1").status == 401);
    BOOST_TEST(sign_in("192.0.2.1").status == 401);
    of_another.end();
    BOOST_TEST(sign_in("2001:db8::1").status == 401);
    BOOST_TEST((of_another.admit(limits::Cost::hash, network) == limits::Admission::Refusal::none));
}

BOOST_AUTO_TEST_SUITE_END()
