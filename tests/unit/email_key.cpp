// When two addresses are the same account's.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "identity/people/users.h"
#include "json/parse.h"
#include "resources/auth/handlers.h"

using tradepost::auth::limit_key;
using tradepost::identity::email_key;
using tradepost::json::Json;

BOOST_AUTO_TEST_SUITE(email_keys)

BOOST_AUTO_TEST_CASE(case_and_white_space_do_not_count) {
    BOOST_TEST(email_key(" \t\r\nAnna.Smith@Example.ORG \n") == "anna.smith@example.org");
    BOOST_TEST(email_key("ÉLODIE@exämple.fr") == "élodie@exämple.fr");
    BOOST_TEST(email_key("ΟΔΥΣΣΕΥΣ@a.gr") == email_key("οδυσσευς@a.gr"));
    BOOST_TEST(email_key("STRASSE@a.de") == email_key("straße@a.de"));
    BOOST_TEST(email_key("a b@c.d") == "a b@c.d");
    BOOST_TEST(email_key("").empty());
    BOOST_TEST(email_key(" \t ").empty());
}

BOOST_AUTO_TEST_CASE(accents_count_however_they_are_composed) {
    BOOST_TEST(email_key("elodie@a.fr") != email_key("élodie@a.fr"));
    BOOST_TEST(email_key("e\xcc\x81lodie@a.fr") == email_key("\xc3\xa9lodie@a.fr"));
    BOOST_TEST(email_key("søren@a.dk") != email_key("soren@a.dk"));
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_text_keep_their_differences) {
    BOOST_TEST(email_key("A\xff@b.c") == "a\xff@b.c");
    BOOST_TEST(email_key("a\xfe@b.c") != email_key("a\xff@b.c"));
    BOOST_TEST(email_key(std::string_view("a\0B@c.d", 7)) == std::string_view("a\0b@c.d", 7));
}

BOOST_AUTO_TEST_CASE(limits_count_an_address_as_it_compares) {
    const auto key = [](const char* text) {
        const auto body = Json::parse(text);
        return limit_key(&body);
    };
    BOOST_TEST(key(R"({"email":" Anna@Example.org ","password":1})") == "anna@example.org");
    BOOST_TEST(key(R"({"email":"no address"})") == "no address");
    BOOST_TEST(limit_key(nullptr).empty());
    for (const char* unusable : {"{}", "[]", "\"a@b.c\"", "null", R"({"email":null})", R"({"email":1})", R"({"email":["a@b.c"]})",
                                 R"({"email":""})", R"({"email":" \t\n "})", R"({"email":"a\u0000@b.c"})"}) {
        BOOST_TEST_CONTEXT(unusable) BOOST_TEST(key(unusable).empty());
    }
}

BOOST_AUTO_TEST_CASE(limits_ignore_an_address_that_is_too_long) {
    std::string text;
    for (int i = 0; i < 254; ++i) text += "é";
    const Json longest{{"email", " " + text + " "}}, longer{{"email", text + "e"}};
    BOOST_TEST(limit_key(&longest) == text);
    BOOST_TEST(limit_key(&longer).empty());
}

BOOST_AUTO_TEST_SUITE_END()
