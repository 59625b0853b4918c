// What operators are told of another server's answer.
#include "core/said.h"

#include <string>
#include <vector>

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using tradepost::core::said;

BOOST_AUTO_TEST_SUITE(answers_of_servers)

BOOST_AUTO_TEST_CASE(one_line) {
    BOOST_TEST(said("") == "");
    BOOST_TEST(said(" \r\n") == "");
    BOOST_TEST(said("550-5.7.1 No.\r\n550 5.7.1 \tNever.\r\n") == "550-5.7.1 No. 550 5.7.1 Never.");
    BOOST_TEST(said("{\"reason\": \"BadJwtToken\"}") == "{\"reason\": \"BadJwtToken\"}");
    BOOST_TEST(said("a\x1b[31mb\x7f\xc2\x9b|\xff|") == "a\\x1b[31mb\\x7f\\xc2\\x9b|\\xff|");
    BOOST_TEST(said(std::string("x\0y", 3)) == "x\\x00y");
    BOOST_TEST(said("größer") == "größer");
}

BOOST_AUTO_TEST_CASE(two_hundred_bytes_and_no_part_of_a_character) {
    std::string words;
    while (words.size() < 300) words += "no way, ";
    BOOST_TEST(said(words) == words.substr(0, 199));  // which a space follows
    BOOST_TEST(said(std::string(199, '.') + "ö") == std::string(199, '.'));
    BOOST_TEST(said(std::string(198, '.') + "ö") == std::string(198, '.') + "ö");
    BOOST_TEST(said(std::string(1'000'000, '.')).size() == 200u);
}

BOOST_AUTO_TEST_CASE(no_secret) {
    const std::vector<std::string> secrets{"AHBvc3QAY29ycmVjdCBob3JzZQ==", "pw123", "", "abc"};
    BOOST_TEST(said("500 unknown AHBvc3QAY29ycmVjdCBob3JzZQ==", secrets) == "500 unknown …");
    BOOST_TEST(said("500 unknown 'AHBvc3QAY29y...", secrets) == "500 unknown '…...");
    BOOST_TEST(said("pw123 abc pw12", secrets) == "… abc pw12");
    // Links with a token, subscriptions, signatures of tokens.
    BOOST_TEST(said("554 spam: https://shop.example/dashboard/#/reset/" + std::string(64, 'a') + " listed") ==
               "554 spam: https://shop.example/dashboard/#/reset/… listed");
    BOOST_TEST(said(std::string(32, 'a')) == "…");
    BOOST_TEST(said(std::string(31, 'a')) == std::string(31, 'a'));
}

BOOST_AUTO_TEST_SUITE_END()
