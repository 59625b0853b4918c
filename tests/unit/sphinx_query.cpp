// Queries in the syntax of Sphinx. That Sphinx then finds the right rows is tested on a real server.
#include "search/engines/sphinx_query.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <random>

#include "db/sphinxql.h"
#include "search/grammar/tokens.h"

using namespace tradepost;
using namespace tradepost::search;

namespace {

std::string query(std::string_view q) {
    return search::sphinx_query(parse(q), "tokens");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sphinx_queries)

BOOST_AUTO_TEST_CASE(queries_are_tokens_and_operators) {
    BOOST_TEST(query("VW the") == "@tokens tokvw tokthe");
    BOOST_TEST(query("\"state-of-the-art\" v*") == "@tokens \"tokstate tokof tokthe tokart\" tokv*");
    BOOST_TEST(query("van -golf -\"full time\" -a-b* -c*") ==
               "@tokens tokvan !(tokgolf) !(\"tokfull toktime\") !(toka tokb*) !(tokc*)");
    const std::string some(18, 'x'), longer(40, 'x');
    BOOST_TEST(query(some + "*") == "@tokens (tok" + some + "* | " + prefix_tokens(some).whole + ")");
    BOOST_TEST(query(longer + "*") == "@tokens " + prefix_tokens(longer).whole);
}

BOOST_AUTO_TEST_CASE(nothing_that_a_user_types_is_an_operator) {
    std::mt19937 random(4);
    constexpr std::string_view bits[] = {"a",  "b",  "ж", "日", "+", "-", "*", "~", "<", ">", "(", ")", "@", "'",
                                         "\"", "\\", "%", "_",  " ", "é", "!", "|", "/", "^", "$", "=", "&", "\n"};
    for (int i = 0; i < 50000; ++i) {
        std::string q;
        for (int n = 0; n < 8; ++n) q += bits[random() % std::size(bits)];
        try {
            const auto text = query(q);
            BOOST_REQUIRE(text.starts_with("@tokens "));
            BOOST_REQUIRE(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789\"*()!| ", 8) == std::string::npos);
            BOOST_REQUIRE(db::sphinx_literal(text) == "'" + text + "'");
        } catch (const SyntaxError&) {
        }
    }
}

BOOST_AUTO_TEST_CASE(a_text_with_any_other_character_is_refused) {
    for (const auto* text : {"a'b", "a\\b", "A", "é", "a;b", "a\nb", "a-b", "a/b"})
        BOOST_CHECK_THROW(db::sphinx_literal(text), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()
