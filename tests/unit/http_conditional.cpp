#include "http/conditional.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost::http;

BOOST_AUTO_TEST_SUITE(conditional)

BOOST_AUTO_TEST_CASE(tags_are_strong_and_follow_the_body) {
    const auto tag = entity_tag("{\"data\":1}");
    BOOST_TEST(tag == entity_tag("{\"data\":1}"));
    BOOST_TEST(tag != entity_tag("{\"data\":2}"));
    BOOST_TEST(tag.size() == 34u);
    BOOST_TEST(tag.front() == '"');
    BOOST_TEST(tag.back() == '"');
    BOOST_TEST(tag.find_first_not_of("0123456789abcdef", 1) == tag.size() - 1);
}

BOOST_AUTO_TEST_CASE(fields_that_name_the_tag) {
    for (const char* field :
         {"\"a\"", "W/\"a\"", "*", " * ", "\"x\", \"a\"", "\"x\",\"a\"", "\"a\",\"x\"", "W/\"x\", W/\"a\"", "  \"a\"  ",
          "\"x\" ,\t\"a\"", "\"x\",,, ,\"a\"", ",\"a\"", " , \"a\"", "\"a\",", "\"\", \"a\"", "\"x,y\", \"a\"", "\"W/\",\"a\""})
        BOOST_TEST(names_tag(field, "\"a\""), field);
}

BOOST_AUTO_TEST_CASE(fields_that_do_not) {
    for (const char* field : {"",   " ",      ",",           "\"x\"",    "a",         "\"A\"",       "w/\"a\"",    "W/a",
                              "W/", "\"a",    "a\"",         "\"",       "\"\"",      "'a'",         "\"x\", *",   "* , \"x\"",
                              "**", "\"aa\"", "\"x,\"a\"\"", "x, \"a\"", "W/W/\"a\"", "\"x\" \"a\"", "\"x\"\"a\"", "\"x\";\"a\""})
        BOOST_TEST(!names_tag(field, "\"a\""), field);
}

// RFC 9110, section 8.8.3: an opaque tag may hold a comma, a backslash, and what is no ASCII.
BOOST_AUTO_TEST_CASE(opaque_tags_are_compared_whole) {
    BOOST_TEST(names_tag("\"x,a\", \"a,x\"", "\"a,x\""));
    BOOST_TEST(!names_tag("\"x,a\"", "\"a\""));
    BOOST_TEST(names_tag("\"a\\\"", "\"a\\\""));
    BOOST_TEST(names_tag("\"\xC3\xA9\"", "\"\xC3\xA9\""));
}

BOOST_AUTO_TEST_CASE(long_lists_are_read_in_a_straight_line) {
    std::string field;
    for (int i = 0; i < 20000; ++i) field += "W/\"x\" , ";
    BOOST_TEST(names_tag(field + "\"a\"", "\"a\""));
    BOOST_TEST(!names_tag(field, "\"a\""));
    BOOST_TEST(!names_tag(std::string(1 << 20, ','), "\"a\""));
}

BOOST_AUTO_TEST_SUITE_END()
