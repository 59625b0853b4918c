// What goes into the tokens column and into boolean mode. That InnoDB then finds the right rows is tested on a real server.
#include "search/mysql_fulltext.h"

#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>

#include "core/utf8.h"

using namespace tradepost;
using namespace tradepost::search;

namespace {

std::string boolean(std::string_view q) {
    const BooleanQuery query = boolean_query(parse(q));
    std::string out = query.required;
    for (const std::string& group : query.excluded) out += " NOT " + group;
    return out;
}

std::string token(std::string_view word) {
    return index_tokens({"", word});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(search_mysql_fulltext)

BOOST_AUTO_TEST_CASE(the_title_counts_three_times_and_no_phrase_crosses_fields) {
    BOOST_TEST(index_tokens({"VW Golf", "the van", "c"}) ==
               "tokvw tokgolf tok_ tokvw tokgolf tok_ tokvw tokgolf tok_ tokthe tokvan tok_ tokc");
    BOOST_TEST(index_tokens({"", "the", "", "&", "c"}) == "tokthe tok_ tokc");
    BOOST_TEST(index_tokens({}) == "");
    BOOST_TEST(index_tokens({"…", ""}) == "");
}

BOOST_AUTO_TEST_CASE(tokens_are_ascii_and_keep_prefixes) {
    BOOST_TEST(token("3D") == "tok3d");
    BOOST_TEST(token("жук") == "tok_ti_tv_tm");
    BOOST_TEST(token("日本") == "tok_0k4l tok_0kdo");
    BOOST_TEST(token("한국어").starts_with(token("한국")));
}

BOOST_AUTO_TEST_CASE(different_words_never_share_a_token) {
    std::vector<std::string> tokens;
    for (char32_t c = 'a'; c <= 0x10FFFF; ++c) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        std::string text;
        core::append_code_point(text, c);
        if (words(text) == std::vector<std::string>{text}) tokens.push_back(token(text));
    }
    BOOST_TEST(tokens.size() > 100000u);
    std::sort(tokens.begin(), tokens.end());
    BOOST_TEST((std::adjacent_find(tokens.begin(), tokens.end()) == tokens.end()));
    // Nor does one code point's token begin another's: "a*" finds only what begins with a.
    for (std::size_t i = 1; i < tokens.size(); ++i) BOOST_REQUIRE(!tokens[i].starts_with(tokens[i - 1]));
    BOOST_TEST(
        std::none_of(tokens.begin(), tokens.end(), [](const std::string& t) { return t.starts_with("tok__") || t == "tok_"; }));
}

BOOST_AUTO_TEST_CASE(long_words_stay_exact_and_short_enough) {
    const std::string longest(77, 'x'), longer(78, 'x');
    BOOST_TEST(token(longest) == "tok" + longest);
    BOOST_TEST(token(longer).size() == 80u);
    BOOST_TEST(token(longer).starts_with("tok" + std::string(43, 'x') + "__"));
    BOOST_TEST(token(longer) != token(longer + 'x'));
    BOOST_TEST(token(longer + 'y') != token(longer + 'z'));
    std::string thai;
    for (int i = 0; i < 30; ++i) thai += "ก";
    BOOST_TEST(token(thai).size() <= 80u);
    BOOST_TEST(token(thai).starts_with(token("กกกกกกกก") + "__"));
    BOOST_TEST(token(std::string(20000, 'x')).size() == 80u);
}

BOOST_AUTO_TEST_CASE(queries_are_tokens_and_operators) {
    BOOST_TEST(boolean("VW the") == "+tokvw +tokthe");
    BOOST_TEST(boolean("\"state-of-the-art\" v*") == "+\"tokstate tokof tokthe tokart\" +tokv*");
    BOOST_TEST(boolean("van -golf -\"full time\" -a-b* -c*") ==
               "+tokvan NOT +tokgolf NOT +\"tokfull toktime\" NOT +toka +tokb* NOT +tokc*");
    BOOST_TEST(boolean("日本 ж*") == "+\"tok_0k4l tok_0kdo\" +tok_ti*");
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
                BOOST_REQUIRE(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_+\"* ") == std::string::npos);
            }
        } catch (const SyntaxError&) {
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
