// What .case files leave out, their tables, and what is refused in them.
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

BOOST_AUTO_TEST_SUITE(case_texts)

BOOST_AUTO_TEST_CASE(requests_are_sent_by_whom_the_last_as_names) {
    const auto file = parse(
        "GET /nobody\n---\n200\n===\n@as demo\nGET /demo\n---\n200\n===\nGET /still\n---\n200\n===\n"
        "GET /once\n!Authorization\n---\n200\n===\nGET /own\nAuthorization: Basic x\n---\n200\n===\n"
        "@as {{who}}\nGET /{{who}}\n---\n200\n@each who\nsolo\nnobody\n===\n@as nobody\nGET /end\n---\n200\n");
    std::string sent;
    for (const auto& exchange : file.exchanges) {
        sent += exchange.target + ":";
        for (const auto& [name, value] : exchange.headers) sent += name + "=" + value;
        sent += "\n";
    }
    BOOST_TEST(sent ==
               "/nobody:\n/demo:authorization=Bearer {{token:demo}}\n/still:authorization=Bearer {{token:demo}}\n/once:\n"
               "/own:authorization=Basic x\n/solo:authorization=Bearer {{token:solo}}\n/nobody:\n/end:\n");
    BOOST_TEST(refusal("@as\nGET /\n---\n200\n") == "x.case:1: @as NAME wanted");
}

BOOST_AUTO_TEST_CASE(bodies_are_json_unless_the_request_says_otherwise) {
    const auto content_type = [](const std::string& request) {
        const auto file = parse(request + "\n---\n200\n");
        std::string types;
        for (const auto& [name, value] : file.exchanges.at(0).headers) types += name + "=" + value;
        return types;
    };
    BOOST_TEST(content_type("POST /") == "");
    BOOST_TEST(content_type("POST /\n\n") == "");
    BOOST_TEST(content_type("POST /\n{}") == "content-type=application/json");
    BOOST_TEST(content_type("POST /\n\n{}") == "content-type=application/json");
    BOOST_TEST(content_type("POST /\nContent-type: text/plain\n{}") == "content-type=text/plain");
    BOOST_TEST(content_type("POST /\n!Content-Type\n{}") == "");
    BOOST_TEST(content_type("POST /\nContent-Type: text/plain") == "content-type=text/plain");
}

BOOST_AUTO_TEST_CASE(bodies_need_a_blank_line_only_if_they_look_like_headers) {
    const auto body = [](const std::string& text) {
        return parse("POST /\nA: b\n" + text + "\n---\n200\n").exchanges.at(0).body;
    };
    for (const std::string text : {"{}", "[]", "\"text\"", "7", "{{body}}", "#", "@any"}) BOOST_TEST(body(text) == text);
    BOOST_TEST(body("\nnull") == "null");
    BOOST_TEST(body("\n\n!a") == "\n!a");
    BOOST_TEST(refusal("POST /\nnull\n---\n200\n") == "x.case:2: a header wanted");
}

BOOST_AUTO_TEST_CASE(answers_have_a_body_behind_the_status_or_the_headers) {
    const auto answer = [](const std::string& text) { return parse("GET /\n---\n" + text).exchanges.at(0); };
    BOOST_TEST(answer("404 Not found\n").status == 404);
    BOOST_TEST(answer("404 Not found\n").expected_body == "{\"error\": \"Not found\"}");
    BOOST_TEST(answer("200 @any\n!ETag\n").expected_body == "@any");
    BOOST_TEST(answer("200 @list jobs pages=2 a b\n").expected_body == "@list jobs pages=2 a b");
    BOOST_TEST(answer("200\n# Why.\nETag: <any>\n@capture a = ETag\n@list jobs\na\n").expected_body == "@list jobs\na");
    BOOST_TEST(answer("200\nETag: <any>\n\n{}\n").expected_body == "{}");
    BOOST_TEST(answer("304\nETag: <any>\n").expected_body == "");
    BOOST_TEST(refusal("GET /\n---\n404 Not found\n{}\n") == "x.case:5: two bodies");
    BOOST_TEST(refusal("GET /\n---\n200\nnull\n") == "x.case:4: a header wanted");
    BOOST_TEST(refusal("GET /\n---\n20x\n") == "x.case:3: a status wanted");
}

BOOST_AUTO_TEST_SUITE_END()

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
    BOOST_TEST(first.place() == "4 (row 17)");
    BOOST_TEST(first.method == "POST");
    BOOST_TEST(first.target == "/a/one?q=  a | \"b\" &r");
    BOOST_TEST(first.headers[0].second == "  a | \"b\" ");
    BOOST_TEST(first.body == "{\"one\":   a | \"b\" , \"again\":   a | \"b\" }");
    BOOST_TEST(first.status == 400);
    BOOST_TEST(*first.expected_headers[0].value == "/  a | \"b\" ");
    BOOST_TEST(first.expected_body == "{\"error\": \"one: wrong | all of it\"}");
    BOOST_TEST(first.before.size() == 2u);
    BOOST_TEST(file.exchanges[1].place() == "4 (row 20)");
    BOOST_TEST(file.exchanges[1].before[1].argument == "---");
    BOOST_TEST(file.exchanges[1].expected_body == first.expected_body);
    BOOST_TEST(file.exchanges[2].place() == "4 (row 22)");
    BOOST_TEST(file.exchanges[2].target == "/a/two?q={{hex:}}&r");
    BOOST_TEST(file.exchanges[2].expected_body == "{\"error\": \"two: wrong | all of it\"}");
    BOOST_TEST(file.exchanges[3].target == "/b");
    BOOST_TEST(file.exchanges[3].place() == "24");
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

BOOST_AUTO_TEST_CASE(a_table_of_its_own_sends_a_group_of_exchanges) {
    const auto file = parse(
        "GET /before\n---\n200\n===\n@group\nPOST /{{kind}}\n---\n201\n===\nGET /{{kind}}/{{q}}\n---\n200\n@each q\n{{id}}\n2\n"
        "===\n# Both kinds.\n@each kind\n@id 1\njobs\n@id 3\nposts\n===\nGET /behind\n---\n200\n");
    std::string sent;
    for (const auto& exchange : file.exchanges) {
        sent += exchange.place() + " " + exchange.method + " " + exchange.target + "\n";
        BOOST_TEST(!exchange.anew);
    }
    BOOST_TEST(sent ==
               "1 GET /before\n6 (row 20) POST /jobs\n10 (row 14) (row 20) GET /jobs/1\n10 (row 15) (row 20) GET /jobs/2\n"
               "6 (row 22) POST /posts\n10 (row 14) (row 22) GET /posts/3\n10 (row 15) (row 22) GET /posts/2\n24 GET /behind\n");
}

BOOST_AUTO_TEST_CASE(the_table_of_a_file_begins_anew_with_every_row) {
    const auto file = parse("POST /{{kind}}\n---\n201\n===\nGET /{{kind}}\n---\n200\n===\n@each kind\njobs\nposts\n");
    BOOST_REQUIRE(file.exchanges.size() == 4u);
    for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(file.exchanges[i].anew == (i % 2 == 0));
    BOOST_TEST(file.exchanges[3].target == "/posts");
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
    BOOST_TEST(refusal("@each value\n1\n") == "x.case:1: no exchange for this table");
    BOOST_TEST(refusal("@group\nGET /\n---\n200\n===\n@each value\n1\n") == "x.case:7: {{value}} is not in the exchange");
    BOOST_TEST(refusal("@group\nGET /\n---\n200\n") == "x.case:2: the group's table is missing");
    BOOST_TEST(refusal("@group\nGET /\n---\n200\n===\n@group\nGET /\n---\n200\n") == "x.case:6: a group within a group");
    BOOST_TEST(refusal("GET /{{a}}\n---\n200\n===\n@each a\n1\n===\nGET /\n---\n200\n") ==
               "x.case:7: nothing may follow the file's table");
    BOOST_TEST(refusal("POST /a\n\n{{value}}\n@each value\n1\n---\n400\n") ==
               "x.case:4: --- and the expected answer are missing");
}

BOOST_AUTO_TEST_SUITE_END()
