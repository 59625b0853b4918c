#include "http/conditional.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost::http;

namespace {

Preconditions evaluated(const char* method, std::vector<std::pair<std::string, std::string>> headers, std::string_view tag) {
    Request request;
    request.method = method;
    request.headers = std::move(headers);
    return evaluate(request, tag);
}

bool names_tag(const std::string& field, std::string_view tag) {
    const auto met = evaluated("PATCH", {{"if-match", field}}, tag) == Preconditions::met;
    BOOST_TEST((evaluated("PATCH", {{"if-none-match", field}}, tag) == Preconditions::failed) == met, field);
    BOOST_TEST((evaluated("GET", {{"if-none-match", field}}, tag) == Preconditions::not_modified) == met, field);
    return met;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(conditional)

// RFC 9110, section 13.2.2.
BOOST_AUTO_TEST_CASE(preconditions_in_their_order) {
    using enum Preconditions;
    struct Row {
        const char *if_match, *if_none_match, *tag;
        Preconditions read, written;
    };
    for (const auto& [if_match, if_none_match, tag, read, written] : {
             Row{nullptr, nullptr, "\"a\"", met, met},
             Row{nullptr, nullptr, "", met, met},
             Row{"\"a\"", nullptr, "\"a\"", met, met},
             Row{"\"b\"", nullptr, "\"a\"", failed, failed},
             Row{"*", nullptr, "\"a\"", met, met},
             Row{"*", nullptr, "", failed, failed},
             Row{"\"a\"", nullptr, "", failed, failed},
             Row{"", nullptr, "\"a\"", failed, failed},
             Row{nullptr, "\"a\"", "\"a\"", not_modified, failed},
             Row{nullptr, "\"b\"", "\"a\"", met, met},
             Row{nullptr, "*", "\"a\"", not_modified, failed},
             Row{nullptr, "*", "", met, met},
             Row{"\"a\"", "\"a\"", "\"a\"", not_modified, failed},
             Row{"\"a\"", "\"b\"", "\"a\"", met, met},
             Row{"\"b\"", "\"a\"", "\"a\"", failed, failed},
             Row{"\"b\"", "\"b\"", "\"a\"", failed, failed},
         }) {
        std::vector<std::pair<std::string, std::string>> headers{{"if-modified-since", "Sun, 01 Mar 2026 12:00:00 GMT"},
                                                                 {"if-unmodified-since", "Thu, 01 Jan 1970 00:00:00 GMT"}};
        if (if_match) headers.emplace_back("if-match", if_match);
        if (if_none_match) headers.emplace_back("if-none-match", if_none_match);
        BOOST_TEST_CONTEXT((if_match ? if_match : "-") << " " << (if_none_match ? if_none_match : "-") << " of " << tag) {
            for (const char* method : {"GET", "HEAD"}) BOOST_TEST((evaluated(method, headers, tag) == read));
            for (const char* method : {"PUT", "PATCH", "DELETE", "POST"})
                BOOST_TEST((evaluated(method, headers, tag) == written));
        }
    }
}

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
