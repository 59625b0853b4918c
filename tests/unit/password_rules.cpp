// Which passwords may be chosen.
#include "identity/passwords/password_rules.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost;

namespace {

std::string fault(std::string_view password) {
    return identity::password_fault(password, "anna.smithson@example.org", "Anna Smithson").value_or("none");
}

std::string repeat(int times, const std::string& text) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(password_rules)

BOOST_AUTO_TEST_CASE(twelve_to_256_characters) {
    const std::string length = "must be 12 to 256 characters long";
    for (const auto& password :
         {std::string(), std::string("kd8f29fkalq"), repeat(11, "é"), repeat(257, "é"), repeat(1024, "kd8f")})
        BOOST_TEST(fault(password) == length);
    BOOST_TEST(fault("kd8f29fkalq2") == "none");
    BOOST_TEST(fault("ä7ö2ü9ß4éàçñ") == "none");
    BOOST_TEST(fault(repeat(128, "🦔🐢")) == "none");  // 1024 bytes
}

BOOST_AUTO_TEST_CASE(neither_email_nor_name) {
    for (const auto* password :
         {"anna.smithson@example.org", "ANNA.smithson@Example.ORG", " anna.smithson@example.org ", "Anna.Smithson"})
        BOOST_TEST(fault(password) == "must not be the email", password);
    for (const auto* password : {"Anna Smithson", "anna SMITHSON", " anna smithson\n"})
        BOOST_TEST(fault(password) == "must not be the name", password);
    BOOST_TEST(fault("anna smithson likes horses") == "none");
    BOOST_TEST(identity::password_fault("anna.smithson@example.org", "bob@example.org", "Bob").value_or("none") == "none");
}

BOOST_AUTO_TEST_CASE(no_common_ones) {
    for (const auto* password :
         {"unbelievable", "ADMINISTRATOR", "Administrator1", "password1234", "Password123!", "12345password", "passwordpassword",
          "drowssapdrowssap", "welcome12345", "basketball12", "123456789012", "123123123123", "abcdefghijkl", "aaaaaaaaaaaa",
          "qwertyuiop12", "1q2w3e4r5t6y", "tradepost2026"})
        BOOST_TEST(fault(password) == "must not be a common password", password);
}

BOOST_AUTO_TEST_CASE(good_ones) {
    for (const auto* password :
         {"correct horse battery staple", "kd8f-29fk-alq2", "739148250173", "7391-4482-0193", "a long enough password",
          "пароль для входа", "12 bananas on a wall", "correct horse fd78efedc662eb85"})
        BOOST_TEST(fault(password) == "none", password);
}

BOOST_AUTO_TEST_SUITE_END()
