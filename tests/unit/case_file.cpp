// The tables of .case files, and what is refused in them.
#include "support/case_file.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <sstream>

using namespace tradepost::test;

namespace {

CaseFile parse(const std::string& text) {
    std::istringstream lines(text);
    return parse_case("x.case", lines);
}

std::string refusal(const std::string& text) {
    try {
        parse(text);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "none";
}

// Five lines and a table.
std::string with_table(const std::string& table) {
    return "POST /a\n\n{{value}}\n---\n400\n\n{\"error\": \"{{error}}\"}\n" + table;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(case_tables)

BOOST_AUTO_TEST_CASE(each_row_is_an_exchange_with_a_line_of_its_own) {
    const auto file = parse(
        "# The first.\n@repeat 2\n@client {{value}}\nPOST /a/{{field}}?q={{value}}&r\nIf-Match: {{value}}\n\n"
        "{\"{{field}}\": {{value}}, \"again\": {{value}}}\n---\n400\nLocation: /{{value}}\n!ETag\n\n"
        "{\"error\": \"{{field}}: {{error}}\"}\n"
        "@each value\n@field one\n@error wrong | all of it\n  a | \"b\" \n\n# A comment.\n---\n@field two\n{{hex:}}\n===\nGET "
        "/b\n---\n200\n");
    BOOST_REQUIRE(file.exchanges.size() == 4u);
    const auto& first = file.exchanges[0];
    BOOST_TEST(first.line == 17);
    BOOST_TEST(first.method == "POST");
    BOOST_TEST(first.target == "/a/one?q=  a | \"b\" &r");
    BOOST_TEST(first.headers[0].second == "  a | \"b\" ");
    BOOST_TEST(first.body == "{\"one\":   a | \"b\" , \"again\":   a | \"b\" }");
    BOOST_TEST(first.status == 400);
    BOOST_TEST(*first.expected_headers[0].value == "/  a | \"b\" ");
    BOOST_TEST(first.expected_body == "{\"error\": \"one: wrong | all of it\"}");
    BOOST_TEST(first.before.size() == 2u);
    BOOST_TEST(file.exchanges[1].line == 20);
    BOOST_TEST(file.exchanges[1].before[1].argument == "---");
    BOOST_TEST(file.exchanges[1].expected_body == first.expected_body);
    BOOST_TEST(file.exchanges[2].line == 22);
    BOOST_TEST(file.exchanges[2].target == "/a/two?q={{hex:}}&r");
    BOOST_TEST(file.exchanges[2].expected_body == "{\"error\": \"two: wrong | all of it\"}");
    BOOST_TEST(file.exchanges[3].target == "/b");
}

BOOST_AUTO_TEST_CASE(a_row_may_be_the_line_of_the_request) {
    const auto file = parse("{{request}}\n---\n304\n\n@each request\nGET /a\nHEAD /b?c=d\n");
    BOOST_REQUIRE(file.exchanges.size() == 2u);
    BOOST_TEST(file.exchanges[1].method == "HEAD");
    BOOST_TEST(file.exchanges[1].target == "/b?c=d");
    BOOST_TEST(file.exchanges[1].expected_body == "");
    BOOST_TEST(refusal("{{request}}\n---\n304\n\n@each request\nGET /a\nHEAD\n") == "x.case:7: METHOD and target wanted");
    BOOST_TEST(refusal("GET\n---\n200\n") == "x.case:1: METHOD and target wanted");
}

BOOST_AUTO_TEST_CASE(tables_that_test_nothing_are_refused) {
    BOOST_TEST(refusal(with_table("@each value\n@error e\n1\n")) == "none");
    BOOST_TEST(refusal(with_table("@each\n1\n")) == "x.case:8: @each NAME wanted");
    BOOST_TEST(refusal(with_table("@each value\n")) == "x.case:9: a row is missing");
    BOOST_TEST(refusal(with_table("@each value\n# 1\n\n===\nGET /\n---\n200\n")) == "x.case:11: a row is missing");
    BOOST_TEST(refusal(with_table("@each value\n@error e\n1\n@error f\n")) == "x.case:12: a row is missing");
    BOOST_TEST(refusal(with_table("@each value\n@error e\n@error f\n1\n")) == "x.case:10: no row follows the @error above");
    BOOST_TEST(refusal(with_table("@each value\n1\n@error e\n2\n")) == "x.case:10: the rows above have no @error");
    BOOST_TEST(refusal(with_table("@each value\n@error\n1\n")) == "x.case:9: @NAME and a text wanted");
    BOOST_TEST(refusal(with_table("@each value\n@value 1\n1\n")) == "x.case:9: @NAME and a text wanted");
    BOOST_TEST(refusal(with_table("@each body\n@error e\n1\n")) == "x.case:10: {{body}} is not in the exchange");
    BOOST_TEST(refusal(with_table("@each value\n@eror e\n1\n")) == "x.case:10: {{eror}} is not in the exchange");
    BOOST_TEST(refusal("POST /a\n\n{{value}}\n@each value\n1\n---\n400\n") ==
               "x.case:4: --- and the expected answer are missing");
}

BOOST_AUTO_TEST_SUITE_END()
