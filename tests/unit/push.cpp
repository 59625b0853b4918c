// Push messages: encryption, the sender's signature and subscriptions.

#include <nlohmann/json.hpp>

#include "core/base64.h"
#include "push/encryption.h"
#include "push/subscription.h"
#include "push/vapid.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost;

namespace {

std::string raw(std::string_view text) {
    return core::from_base64url(text).value();
}

// RFC 8291, appendix A.
const std::string browser_public = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const std::string auth = "BTBZMqHH6r4Tts7J_aSIgg";

std::string error_of(const std::string& text) {
    try {
        (void)push::parse_subscription(text);
        return "";
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

std::string subscription(const std::string& endpoint) {
    return R"({"endpoint":")" + endpoint + R"(","keys":{"auth":")" + auth + R"(","p256dh":")" + browser_public + R"("}})";
}

// Splits at each dot.
std::vector<std::string> parts(const std::string& token) {
    std::vector<std::string> all{""};
    for (const char c : token)
        if (c == '.')
            all.emplace_back();
        else
            all.back() += c;
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(push_messages)

BOOST_AUTO_TEST_CASE(the_example_of_rfc_8291) {
    const auto own = push::Key::from_private(raw("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"));
    BOOST_TEST(core::to_base64url(own.public_key()) ==
               "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8");
    BOOST_TEST(core::to_base64url(push::encrypt("When I grow up, I want to be a watermelon", raw(browser_public), raw(auth), own,
                                                raw("DGv6ra1nlYgDCS1FRnbzlw"))) ==
               "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
               "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN");
}

BOOST_AUTO_TEST_CASE(a_body_has_4096_bytes_at_most) {
    const auto own = push::Key::generate();
    const std::string salt(push::salt_bytes, 's');
    const auto encrypt = [&](std::size_t length) {
        return push::encrypt(std::string(length, 'x'), raw(browser_public), raw(auth), own, salt).size();
    };
    BOOST_TEST(encrypt(push::longest_message) == 4096u);
    BOOST_CHECK_THROW(encrypt(push::longest_message + 1), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(keys) {
    const auto one = push::Key::generate(), other = push::Key::generate();
    BOOST_TEST(one.public_key() != other.public_key());
    BOOST_TEST(push::Key::from_private(one.private_key()).public_key() == one.public_key());
    BOOST_TEST(one.shared_secret(other.public_key()) == other.shared_secret(one.public_key()));
    BOOST_TEST(push::is_public_key(one.public_key()));
    auto outside = one.public_key();
    outside.back() ^= 1;  // no point of the curve
    for (const auto& bad : {std::string(), std::string(65, '\x04'), one.public_key().substr(1), outside}) {
        BOOST_TEST(!push::is_public_key(bad));
        BOOST_CHECK_THROW((void)one.shared_secret(bad), std::invalid_argument);
    }
    // The last one is the order of the curve.
    for (const auto& bad : {std::string(), std::string(31, 'x'), std::string(32, '\0'), std::string(33, 'x'),
                            std::string(32, '\xFF'), raw("_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE")})
        BOOST_CHECK_THROW((void)push::Key::from_private(bad), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(the_sender_is_told_as_rfc_8292_has_it) {
    const auto key = push::Key::generate();
    const core::Time now{std::chrono::seconds(1'700'000'000)};
    const auto value = push::vapid(key, "https://push.example", "mailto:ops@shop.example", now);
    const auto end = value.find(", k=");
    BOOST_TEST_REQUIRE(value.starts_with("vapid t="));
    BOOST_TEST(value.substr(end + 4) == core::to_base64url(key.public_key()));
    const auto token = value.substr(8, end - 8);
    const auto three = parts(token);
    BOOST_TEST_REQUIRE(three.size() == 3u);
    BOOST_TEST(raw(three[0]) == R"({"alg":"ES256","typ":"JWT"})");
    BOOST_TEST(raw(three[1]) == R"({"aud":"https://push.example","exp":1700043200,"sub":"mailto:ops@shop.example"})");
    BOOST_TEST(raw(three[2]).size() == 64u);
}

BOOST_AUTO_TEST_CASE(a_subscription_as_a_browser_gives_it) {
    const auto found =
        push::parse_subscription(R"({"expirationTime": null, "keys": {"p256dh": ")" + browser_public + R"(=", "auth": ")" + auth +
                                 R"(=="}, "endpoint": "https:\/\/Push.Example:443\/send\/abc?x=1#y"})");
    BOOST_TEST(found.endpoint == "https://Push.Example:443/send/abc?x=1#y");
    BOOST_TEST(found.origin == "https://push.example");
    BOOST_TEST(found.public_key == raw(browser_public));
    BOOST_TEST(found.auth == raw(auth));
    const auto text = push::to_text(found);
    BOOST_TEST(text == subscription("https://Push.Example:443/send/abc?x=1#y"));
    BOOST_TEST(push::to_text(push::parse_subscription(text)) == text);
    BOOST_TEST(push::parse_subscription(subscription("https://push.example:8443/x")).origin == "https://push.example:8443");
    BOOST_TEST(push::parse_subscription(subscription("https://[2001:db8::1]?x")).origin == "https://[2001:db8::1]");
    const auto international = push::parse_subscription(subscription("https://Bücher.example/größe"));
    BOOST_TEST(international.endpoint == "https://Bücher.example/größe");
    BOOST_TEST(international.origin == "https://xn--bcher-kva.example");
}

BOOST_AUTO_TEST_CASE(what_is_no_subscription) {
    for (const auto* text : {"", "{", "[]", "null", "\"x\"", "{} {}"})
        BOOST_TEST(error_of(text) == "must be the JSON of a PushSubscription");
    for (const auto* endpoint : {"", "http://push.example/x", "https://", "https:///x", "https://u@push.example/", "https://a b/",
                                 "https://☕/", "https://a.example/\\u000d\\u000aTTL: 0", "https://a.example/\\\""})
        BOOST_TEST(error_of(subscription(endpoint)) == "must have an https address as endpoint", endpoint);
    BOOST_TEST(error_of(R"({"keys":{}})") == "must have an https address as endpoint");
    const std::string begin = R"({"endpoint":"https://push.example/x")";
    for (const std::string rest :
         {"}", R"(,"keys":null})", R"(,"keys":{"p256dh":"BCVx","auth":"x"}})", R"(,"keys":{"p256dh":5}})"})
        BOOST_TEST(error_of(begin + rest) == "must have a public key of P-256 as keys.p256dh", rest);
    for (const std::string rest : {"", R"(,"auth":"BTBZ")", R"(,"auth":"BTBZMqHH6r4Tts7J+aSIgg")"})
        BOOST_TEST(error_of(begin + R"(,"keys":{"p256dh":")" + browser_public + "\"" + rest + "}}") ==
                       "must have 16 bytes in base64url as keys.auth",
                   rest);
}

BOOST_AUTO_TEST_SUITE_END()
