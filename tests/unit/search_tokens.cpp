// What is searched as engines get it. That they then find the right rows is tested on real servers.
#include "search/grammar/tokens.h"

#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>

#include "core/utf8.h"
#include "search/grammar/query.h"

using namespace tradepost;
using namespace tradepost::search;

namespace {

using Texts = std::vector<std::string_view>;

std::string index(const Texts& texts, const Texts& codes = {}) {
    return index_tokens(texts, codes);
}

// The tokens of a text that is all of a row.
std::vector<std::string> tokens(std::string_view text) {
    std::vector<std::string> all;
    for (const auto& word : words(text)) all.push_back(token(word));
    return all;
}

// Whether a search for the letters as a prefix finds a row of this text, and code.
bool is_found(std::string_view letters, const Texts& texts, const Texts& codes = {}) {
    const auto wanted = prefix_tokens(letters);
    const auto row = index(texts, codes);
    return (!wanted.beginning.empty() && row.find(" " + wanted.beginning) != std::string::npos) ||
           (!wanted.whole.empty() && row.find(" " + wanted.whole + " ") != std::string::npos);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(search_tokens)

BOOST_AUTO_TEST_CASE(the_title_counts_three_times_and_no_phrase_crosses_texts) {
    BOOST_TEST(index({"VW Golf", "the van", "c"}) ==
               " tokvw tokgolf tokq tokvw tokgolf tokq tokvw tokgolf tokq tokthe tokvan tokq tokc ");
    BOOST_TEST(index({"", "the", "", "&", "c"}) == " tokthe tokq tokc ");
    BOOST_TEST(index({}) == " ");
    BOOST_TEST(index({"…", ""}) == " ");
}

BOOST_AUTO_TEST_CASE(tokens_are_lower_case_letters_and_digits_and_keep_prefixes) {
    BOOST_TEST(tokens("3D") == std::vector<std::string>{"tok3d"});
    BOOST_TEST(tokens("quiz") == std::vector<std::string>{"tokqnuiz"});
    BOOST_TEST(tokens("жук") == std::vector<std::string>{"tokqtiqtvqtm"});
    BOOST_TEST((tokens("日本") == std::vector<std::string>{"tokq0k4l", "tokq0kdo"}));
    BOOST_TEST(token("한국어").starts_with(token("한국")));
}

BOOST_AUTO_TEST_CASE(different_words_never_share_a_token) {
    std::vector<std::string> all;
    for (char32_t c = 'a'; c <= 0x10FFFF; ++c) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        std::string text;
        core::append_code_point(text, c);
        if (words(text) == std::vector<std::string>{text}) all.push_back(token(text));
    }
    BOOST_TEST(all.size() > 100000u);
    std::sort(all.begin(), all.end());
    BOOST_TEST((std::adjacent_find(all.begin(), all.end()) == all.end()));
    // Nor does one code point's token begin another's: "a*" finds only what begins with a.
    for (std::size_t i = 1; i < all.size(); ++i) BOOST_REQUIRE(!all[i].starts_with(all[i - 1]));
    for (const auto& each : all) {
        BOOST_REQUIRE(each.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string::npos);
        BOOST_REQUIRE(each != "tokq");
        BOOST_REQUIRE(!each.starts_with("tokql"));
    }
}

// A mark of the last planes may stand within a word.
BOOST_AUTO_TEST_CASE(every_code_point_has_a_form_of_its_own) {
    std::vector<std::string> all;
    for (const char32_t c :
         {U'a', U'q', U'\x80', U'ж', U'\x4C6F', U'\x4C70', U'\xFFFD', U'\x4457F', U'\x44580', U'\xE0100', U'\x10FFFF'}) {
        std::string text;
        core::append_code_point(text, c);
        all.push_back(token(text));
    }
    std::sort(all.begin(), all.end());
    for (std::size_t i = 1; i < all.size(); ++i)
        BOOST_TEST(!all[i].starts_with(all[i - 1]), all[i] << " begins with " << all[i - 1]);
}

BOOST_AUTO_TEST_CASE(long_words_stay_exact_and_short_enough) {
    const std::string longest(39, 'x'), longer(40, 'x');
    BOOST_TEST(token(longest) == "tok" + longest);
    BOOST_TEST(token(longer).size() == 42u);
    BOOST_TEST(token(longer).starts_with("tok" + std::string(17, 'x') + "ql"));
    BOOST_TEST(token(longer) != token(longer + 'x'));
    BOOST_TEST(token(longer + 'y') != token(longer + 'z'));
    std::string thai;
    for (int i = 0; i < 30; ++i) thai += "ก";
    BOOST_TEST(token(thai).size() <= 42u);
    BOOST_TEST(token(thai).starts_with(token("กกกก") + "ql"));
    BOOST_TEST(token(std::string(20000, 'x')).size() == 42u);
}

BOOST_AUTO_TEST_CASE(words_are_found_by_every_beginning) {
    for (const std::string_view word : {"golf", "квалифицированного", "электрооборудование", "აააააააააააააა",
                                        "donaudampfschifffahrtselektrizitatenhauptbetriebswerk"}) {
        std::string other(word);
        other.back() ^= 1;
        for (std::size_t at = 0; at < word.size();) {
            core::next_code_point(word, at);
            const auto letters = word.substr(0, at);
            BOOST_TEST(is_found(letters, {"", word}), letters);
            BOOST_TEST(is_found(letters, {"", other}) == (at < word.size()), letters << " in " << other);
        }
    }
    const std::string longest(longest_prefix, 'x');
    BOOST_TEST(is_found(longest, {"", longest + "yz"}));
    BOOST_TEST(!is_found(longest + "y", {"", longest + "yz"}));
}

BOOST_AUTO_TEST_CASE(codes_are_found_by_their_beginning_and_without_what_separates_them) {
    const auto found = [](std::string_view typed) {
        const auto row = index({"Van", "AB-12 34"}, {"AB-12 34"});
        const auto all = tokens(typed);
        return std::all_of(all.begin(), all.end(),
                           [&](const auto& each) { return row.find(" " + each + " ") != std::string::npos; });
    };
    for (const auto* typed : {"AB-12 34", "ab1234", "AB12", "ab-1", "AB 12 3", "a", "ab123", "3"})
        BOOST_TEST(found(typed), typed);
    for (const auto* typed : {"b12", "1234", "ab13", "ab12345", "2"}) BOOST_TEST(!found(typed), typed);
    // Each beginning by itself: they are no phrase.
    BOOST_TEST(index({""}, {"ab"}) == " tokq toka tokq tokab ");
}

BOOST_AUTO_TEST_SUITE_END()
