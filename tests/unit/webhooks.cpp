// Signatures of webhooks, and what their fields may hold.
#include "webhooks/signature.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "core/base64.h"
#include "webhooks/announce.h"
#include "webhooks/webhook.h"

using namespace std::chrono_literals;
using namespace tradepost;
using namespace tradepost::webhooks;

BOOST_AUTO_TEST_SUITE(webhook_messages)

// The example of the specification's own libraries.
BOOST_AUTO_TEST_CASE(a_signature_is_that_of_standard_webhooks) {
    const std::vector<std::string> secrets{core::from_base64("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").value()};
    BOOST_TEST(sign(secrets, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, R"({"test": 2432232314})") ==
               "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

BOOST_AUTO_TEST_CASE(each_secret_signs) {
    const std::vector<std::string> both{"new", "old"}, old{"old"};
    const auto signatures = sign(both, "a", 1, "{}");
    BOOST_TEST(signatures.substr(0, signatures.find(' ')) == sign(std::span(both).first(1), "a", 1, "{}"));
    BOOST_TEST(signatures.substr(signatures.find(' ') + 1) == sign(old, "a", 1, "{}"));
    BOOST_TEST(sign(old, "b", 1, "{}") != sign(old, "a", 1, "{}"));
    BOOST_TEST(sign(old, "a", 2, "{}") != sign(old, "a", 1, "{}"));
}

BOOST_AUTO_TEST_CASE(a_request_is_signed_by_three_headers) {
    const std::vector<std::string> secrets{"secret"};
    const auto headers = signed_headers(secrets, "0195f0a0-0000-7000-8000-00000000e001", core::Time(1'700'000'000'999ms), "{}");
    BOOST_TEST_REQUIRE(headers.size() == 3u);
    BOOST_TEST(headers[0] == "webhook-id: 0195f0a0-0000-7000-8000-00000000e001");
    BOOST_TEST(headers[1] == "webhook-timestamp: 1700000000");
    BOOST_TEST(headers[2] == "webhook-signature: v1,9SySbkovhzCiIVioCNjw1mrNSsA5u6o7N9P0PduLIC8=");
}

BOOST_AUTO_TEST_CASE(a_secret_is_shown_as_libraries_take_it) {
    const auto secret = new_secret(), text = secret_text(secret);
    BOOST_TEST(secret.size() == 32u);
    BOOST_TEST(secret != new_secret());
    BOOST_TEST(text.starts_with("whsec_"));
    BOOST_TEST(core::from_base64(text.substr(6)).value() == secret);
}

BOOST_AUTO_TEST_CASE(a_body_has_type_time_and_data) {
    BOOST_TEST(body("a.b", core::parse_rfc3339("2026-03-01T12:00:00.5Z").value(), R"({"x":null})") ==
               R"({"type":"a.b","timestamp":"2026-03-01T12:00:00.500Z","data":{"x":null}})");
}

BOOST_AUTO_TEST_CASE(a_target_names_its_webhook) {
    const auto id = core::Uuid::parse("0195f0a0-0000-7000-8000-00000000aa01").value();
    BOOST_TEST(target_of(id) == "webhook 0195f0a0-0000-7000-8000-00000000aa01");
    BOOST_TEST((webhook_of(target_of(id)) == id));
    for (const auto* other : {"mail 0195f0a0-0000-7000-8000-00000000aa01", "webhook x", "webhook ", ""})
        BOOST_TEST(!webhook_of(other).has_value(), other);
}

BOOST_AUTO_TEST_SUITE_END()
