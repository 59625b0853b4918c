// Queries in the syntax of InnoDB's boolean mode. That InnoDB then finds the right rows is tested on a real server.
#include "engines/boolean_query.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <random>

#include "search/tokens.h"

using namespace tradepost;
using namespace tradepost::engines;
using namespace tradepost::search;

namespace {

std::string boolean(std::string_view q) {
    const BooleanQuery query = boolean_query(parse(q));
    std::string out = query.required;
    for (const std::string& group : query.excluded) out += " NOT " + group;
    return out;
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
    BOOST_TEST(boolean("VW the") == "+tokvw +tokthe");
    BOOST_TEST(boolean("\"state-of-the-art\" v*") == "+\"tokstate tokof tokthe tokart\" +tokv*");
    BOOST_TEST(boolean("van -golf -\"full time\" -a-b* -c*") ==
               "+tokvan NOT +tokgolf NOT +\"tokfull toktime\" NOT +toka +tokb* NOT +tokc*");
    BOOST_TEST(boolean("日本 ж*") == "+\"tokq0k4l tokq0kdo\" +tokqti*");
}

BOOST_AUTO_TEST_CASE(phrases_that_are_too_long_become_overlapping_ones) {
    const auto phrases = [](int length) {
        Term term;
        for (int i = 0; i < length; ++i) term.words.push_back(std::to_string(i));
        std::string all = boolean_query({{term}, {}}).required, shown;
        for (std::size_t at = 0; (at = all.find("+\"tok", at)) != std::string::npos;) {
            const std::size_t end = all.find('"', at + 2), last = all.rfind("tok", end) + 3;
            shown += all.substr(at + 5, all.find_first_of(" \"", at + 5) - at - 5) + '-' + all.substr(last, end - last) + ' ';
            at = end;
        }
        return shown;
    };
    BOOST_TEST(phrases(2) == "0-1 ");
    BOOST_TEST(phrases(128) == "0-127 ");
    BOOST_TEST(phrases(129) == "0-127 1-128 ");
    BOOST_TEST(phrases(200) == "0-127 64-191 72-199 ");
    BOOST_TEST(phrases(800).ends_with("640-767 672-799 "));
}

BOOST_AUTO_TEST_CASE(nothing_that_a_user_types_is_an_operator) {
    std::mt19937 random(4);
    constexpr std::string_view bits[] = {"a", "b", "ж", "日", "+",  "-",  "*", "~", "<", ">",
                                         "(", ")", "@", "'",  "\"", "\\", "%", "_", " ", "é"};
    for (int i = 0; i < 50000; ++i) {
        std::string q;
        for (int n = 0; n < 8; ++n) q += bits[random() % std::size(bits)];
        try {
            const BooleanQuery query = boolean_query(parse(q));
            std::vector<std::string> all = query.excluded;
            all.push_back(query.required);
            for (const std::string& text : all) {
                BOOST_REQUIRE(text.starts_with('+'));
                BOOST_REQUIRE(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+\"*() ") == std::string::npos);
            }
        } catch (const SyntaxError&) {
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
