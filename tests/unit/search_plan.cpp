// How the database is to find the rows of a search, and what that is estimated to cost.
#include "search/engines/search_plan.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "search/engines/mysql_search.h"
#include "search/grammar/tokens.h"

using namespace tradepost;
using namespace tradepost::search;

namespace {

// 200 rows of 1 KB: "the" and "of" are in all, "half" in 100, "tenth" in 20, "one" in 1, and each has a word of its own that begins with x.
const WordSample& sample() {
    static const WordSample made = [] {
        std::vector<std::string> texts;
        for (int i = 0; i < 200; ++i) {
            std::string text = "the of";
            if (i % 2 == 0) text += " half";
            if (i % 10 == 0) text += " tenth";
            if (i == 0) text += " one";
            text += " x" + std::to_string(i) + " " + std::string(900, '.');
            auto tokens = search::index_tokens(std::array<std::string_view, 1>{text});
            texts.push_back(tokens + std::string(1000 - tokens.size(), ' '));
        }
        return WordSample(texts);
    }();
    return made;
}

SearchPlan plan(std::string_view q, double rows, bool scored = true, std::size_t fields = 0) {
    return plan_search(search::parse(q), sample(), {rows, rows, scored, fields});
}

std::string show(const std::vector<search::Term>& terms) {
    std::string all;
    for (const auto& term : terms) {
        all += all.empty() ? "" : " ";
        for (const auto& word : term.words) all += (&word == &term.words[0] ? "" : "_") + word;
        if (term.prefix) all += '*';
    }
    return all;
}

std::string found_by(std::string_view q, double rows = 100'000) {
    return show(plan(q, rows).found_by);
}

bool answered(std::string_view q, double rows = 100'000) {
    return plan(q, rows).cost <= SearchBounds().most_cost;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(search_plans)

BOOST_AUTO_TEST_CASE(a_sample_tells_how_frequent_words_are) {
    BOOST_TEST(sample().share_of_word("the") == 1.0);
    BOOST_TEST(sample().share_of_word("half") == 0.5);
    BOOST_TEST(sample().share_of_word("one") == 0.005);
    BOOST_TEST(sample().share_of_word("unseen") == 0.005);
    BOOST_TEST(sample().share_of_word("x1") == 0.005);
    BOOST_TEST(sample().entries_of_prefix("x") == 1.0);
    BOOST_TEST(sample().entries_of_prefix("t") == 1.1);  // the, tenth
    BOOST_TEST(sample().entries_of_prefix("y") == 0.005);
    BOOST_TEST(sample().share_of({{"the", "half", "tenth"}}) == 0.1);
    BOOST_TEST(sample().share_of({{"t"}, true}) == 1.0);
    BOOST_TEST(sample().bytes() == 1000.0);
    BOOST_TEST(WordSample({}).share_of_word("any") == 1.0);
}

BOOST_AUTO_TEST_CASE(the_index_finds_the_rarest_word_and_rows_are_checked_for_the_others) {
    BOOST_TEST(found_by("the tenth half") == "tenth");
    BOOST_TEST(show(plan("the half tenth", 1e5).required) == "tenth half the");
    BOOST_TEST(found_by("the \"of tenth\"") == "tenth");
    BOOST_TEST(found_by("tenth on*") == "on*");
    BOOST_TEST(found_by("one x7 tenth the") == "one x7");  // 500 entries each, and 10,000
    BOOST_TEST(found_by("tenth half", 1000) == "tenth half");
}

BOOST_AUTO_TEST_CASE(rows_are_read_one_by_one_when_all_words_are_common) {
    BOOST_TEST(found_by("the") == "");
    BOOST_TEST(found_by("x* t*") == "");
    BOOST_TEST(found_by("\"the of\" -one") == "");
    // A filter leaves few of them.
    BOOST_TEST(show(plan_search(search::parse("tenth"), sample(), {1e5, 1e3, true, 0}).found_by) == "");
}

BOOST_AUTO_TEST_CASE(what_would_cost_too_much_is_known) {
    BOOST_TEST(!answered("the"));
    BOOST_TEST(!answered("half"));
    BOOST_TEST(!answered("\"the of\""));
    BOOST_TEST(!answered("x* t* o*"));
    BOOST_TEST(answered("tenth"));
    BOOST_TEST(answered("the of one"));
    BOOST_TEST(answered("one x* t* o* -the"));
    BOOST_TEST(answered("the", 33'000));
    BOOST_TEST(!answered("the", 34'000));
    BOOST_TEST(answered("half", 42'000));
    BOOST_TEST(answered("tenth", 160'000));
    BOOST_TEST(!answered("tenth", 170'000));
    const auto cost = plan("tenth", 1e5).cost;
    BOOST_TEST((plan("tenth the", 1e5).cost > cost));
    BOOST_TEST((plan("tenth -the", 1e5).cost > cost));
    BOOST_TEST((plan("tenth", 1e5, true, 3).cost > cost));
    BOOST_TEST((plan("tenth", 1e5, false).cost < cost));
    // Rows that the filters leave out are in the index nonetheless.
    BOOST_TEST((plan_search(search::parse("half"), sample(), {1e6, 1e5, true, 0}).cost > SearchBounds().most_cost));
}

BOOST_AUTO_TEST_SUITE_END()
