// Words in the syntax of InnoDB's boolean mode. That InnoDB then finds the right rows is tested on a real server.
#include "search/engines/boolean_query.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <random>

#include "search/grammar/tokens.h"

using namespace tradepost;
using namespace tradepost::search;
using namespace tradepost::search;

namespace {

std::string boolean(std::string_view q) {
    return boolean_query(parse(q).required);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(boolean_queries)

BOOST_AUTO_TEST_CASE(long_prefixes_are_found_in_two_ways) {
    const std::string some(18, 'x'), longer(40, 'x');
    BOOST_TEST(boolean(std::string(17, 'x') + "*") == "+tok" + std::string(17, 'x') + "*");
    BOOST_TEST(boolean(some + "*") == "+(tok" + some + "* " + prefix_tokens(some).whole + ")");
    BOOST_TEST(boolean(longer + "*") == "+" + prefix_tokens(longer).whole);
}

BOOST_AUTO_TEST_CASE(queries_are_tokens_and_operators) {
    BOOST_TEST(boolean("VW the v* ж*") == "+tokvw +tokthe +tokv* +tokqti*");
    BOOST_TEST(boolean_query({}).empty());
}

BOOST_AUTO_TEST_CASE(nothing_that_a_user_types_is_an_operator) {
    std::mt19937 random(4);
    constexpr std::string_view bits[] = {"a", "b", "ж", "日", "+",  "-",  "*", "~", "<", ">",
                                         "(", ")", "@", "'",  "\"", "\\", "%", "_", " ", "é"};
    for (int i = 0; i < 50000; ++i) {
        std::string q;
        for (int n = 0; n < 8; ++n) q += bits[random() % std::size(bits)];
        try {
            const auto text = boolean(q);
            BOOST_REQUIRE(text.starts_with('+'));
            BOOST_REQUIRE(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+*() ") == std::string::npos);
        } catch (const SyntaxError&) {
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
