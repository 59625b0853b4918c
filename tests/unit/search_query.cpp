// The grammar of `q` (API rules, "Search").
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <random>

#include "core/text.h"
#include "search/grammar/query.h"

using namespace tradepost::search;

namespace {

std::string show(const std::vector<Term>& terms) {
    std::string out;
    for (const Term& term : terms) {
        if (!out.empty()) out += ' ';
        std::string words;
        for (const std::string& word : term.words) words += (words.empty() ? "" : " ") + word;
        out += term.words.size() > 1 ? '"' + words + '"' : words;
        if (term.prefix) out += '*';
    }
    return out;
}

// "a "b c" d* -[e] -[f g]", or "error".
std::string read(std::string_view q) {
    try {
        const Query query = parse(q);
        std::string out = show(query.required);
        for (const auto& group : query.excluded) out += " -[" + show(group) + ']';
        return out;
    } catch (const SyntaxError&) {
        return "error";
    }
}

void check(std::initializer_list<std::pair<std::string_view, std::string_view>> cases) {
    for (const auto& [q, tree] : cases) BOOST_TEST(read(q) == tree, q << " read as " << read(q) << ", not " << tree);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(search_query)

BOOST_AUTO_TEST_CASE(words_are_all_required) {
    check({{"golf", "golf"},
           {"VW  Golf\tGTI", "vw golf gti"},
           {"golf\u00A0gti\u3000diesel\u2028tdi", "golf gti diesel tdi"},
           {" the ", "the"},
           {"c", "c"},
           {"golf Golf GOLF gölf", "golf"},
           {"Café", "cafe"}});
}

BOOST_AUTO_TEST_CASE(other_punctuation_parts_words) {
    check({{"C++", "c"},
           {"a@b", "a b"},
           {"a/b", "a b"},
           {"a_b", "a b"},
           {"O'Brien", "o brien"},
           {"O’Brien OʼBrien O´Brien", "o brien"},
           {"state-of-the-art", "state of the art"},
           {"foo- foo-- +foo", "foo"},
           {"(a) <b> ~c", "a b c"},
           {"3.5t", "3 5t"},
           {"Acme™", "acme"}});
}

BOOST_AUTO_TEST_CASE(quotes_hold_phrases) {
    check({{"\"full time\"", "\"full time\""},
           {"\"Full  -Time*\"", "\"full time\""},
           {"\"state-of-the-art\"", "\"state of the art\""},
           {"\"golf\"", "golf"},
           {"\"golf*\"", "golf"},
           {"van \"full time\" \"full time\"", "van \"full time\""},
           {"a\"b c\"d", "a \"b c\" d"},
           {"\"a b\"\"c d\"", "\"a b\" \"c d\""},
           {"“full time”", "full time"},
           {"＂full time＂", "full time"}});
}

BOOST_AUTO_TEST_CASE(a_minus_excludes_the_whole_term) {
    check({{"van -diesel", "van -[diesel]"},
           {"-diesel van", "van -[diesel]"},
           {"van\u00A0-diesel", "van -[diesel]"},
           {"van -\"full time\"", "van -[\"full time\"]"},
           {"van -state-of-the-art", "van -[state of the art]"},
           {"van -die*", "van -[die*]"},
           {"van --diesel", "van -[diesel]"},
           {"van -a\"b c\"", "van -[a \"b c\"]"},
           {"van -a -a -b", "van -[a] -[b]"},
           {"van -van", "van -[van]"},
           {"van –diesel", "van diesel"}});
}

BOOST_AUTO_TEST_CASE(a_star_behind_a_word_makes_a_prefix) {
    check({{"die*", "die*"},
           {"v*", "v*"},
           {"Caf\u00E9* cafe\u0301*", "cafe*"},
           {"soft\u00AD*", "soft*"},
           {"state-of-the-a*", "state of the a*"},
           {"die die*", "die die*"},
           {"a*b", "a b"},
           {"*die", "die"},
           {"die**", "die"},
           {"C++*", "c"},
           {"die*\"a b\"", "die \"a b\""},
           {"\"a b\"die*", "\"a b\" die*"},
           {"\"a b\"*die", "\"a b\" die"},
           {"a-\u0E31*", "a"},
           {"हि*", "हि*"}});
}

BOOST_AUTO_TEST_CASE(ideographs_and_kana_in_a_row_are_a_phrase) {
    check({{"日本", "\"日 本\""},
           {"日", "日"},
           {"日本*", "\"日 本\""},
           {"日本-東京", "\"日 本\" \"東 京\""},
           {"カタログ", "\"カ タ ロ グ\""},
           {"ｶﾞｽ", "\"ガ ス\""},
           {"iPhone日本15", "iphone \"日 本\" 15"},
           {"3月*", "3 月"},
           {"月3*", "月 3*"},
           {"-日本 東", "東 -[\"日 本\"]"},
           {"한국어 한*", "한국어 한*"}});
    // A consonant with its vowels and marks is one word in scripts without spaces.
    check({{"รถยนต์", "\"ร ถ ย น ต์\""},
           {"รถ*", "\"ร ถ\""},
           {"แม่น้ำ", "\"แม่ น้ํา\""},
           {"ลาว 2", "\"ลา ว\" 2"},
           {"ລົດ", "\"ລົ ດ\""},
           {"ລາ", "ລາ"},
           {"ឡាន", "\"ឡា ន\""},
           {"ကား", "ကား"},
           {"၂၀", "၂၀"},
           {"๒๕๖๗", "๒๕๖๗"}});
}

BOOST_AUTO_TEST_CASE(unbalanced_quotes_are_errors) {
    check({{"\"", "error"}, {"a \"b c", "error"}, {"a\"", "error"}, {"5\" tyre", "error"}, {"\"a\" \"b\" \"", "error"}});
}

BOOST_AUTO_TEST_CASE(more_than_sixteen_terms_are_an_error) {
    const auto letters = [](char first, int count, const std::string& before) {
        std::string q;
        for (int i = 0; i < count; ++i) q += before + std::string(1, char(first + i)) + " ";
        return q;
    };
    static_assert(most_terms == 16);
    BOOST_TEST(read(letters('a', 16, "")) != "error");
    BOOST_TEST(read(letters('a', 17, "")) == "error");
    BOOST_TEST(read(letters('a', 16, "") + letters('a', 16, "")) != "error");  // the same ones
    BOOST_TEST(read(letters('a', 8, "") + letters('a', 8, "-")) != "error");
    BOOST_TEST(read(letters('a', 8, "") + letters('a', 9, "-")) == "error");
    BOOST_TEST(read(letters('a', 12, "") + "-s-t-u-v") != "error");
    BOOST_TEST(read(letters('a', 13, "") + "-s-t-u-v") == "error");
    BOOST_TEST(read("\"" + letters('a', 26, "") + "\"") != "error");  // a phrase is one
}

BOOST_AUTO_TEST_CASE(lone_operators_are_errors) {
    check({{"-", "error"},
           {"*", "error"},
           {"a -", "error"},
           {"a *", "error"},
           {"- a", "error"},
           {"a -- b", "error"},
           {"a -* b", "error"},
           {"a *** b", "error"},
           {"a -\"\"", "error"},
           {"a -+", "error"},
           {"a -&", "error"},
           {"a -\" & \"", "error"},
           {"\"a b\"-", "error"},
           {"\"a b\"*", "error"},
           {"a -\"b c\"*", "error"},
           {"\"a b\"* c", "error"},
           {"a \"\"*", "error"},
           {"a -\u00AD", "error"}});
}

BOOST_AUTO_TEST_CASE(something_must_be_searchable) {
    check({{" ", "error"},
           {"&", "error"},
           {"\"\"", "error"},
           {"\" \"", "error"},
           {"…", "error"},
           {"😀", "error"},
           {"\u0301", "error"},
           {"-a", "error"},
           {"-a -\"b c\"", "error"},
           {"-a &", "error"},
           {"\u0E31", "error"}});
}

BOOST_AUTO_TEST_CASE(other_punctuation_alone_is_ignored_beside_words) {
    check({{"Bed & Breakfast", "bed breakfast"},
           {"a – b", "a b"},
           {"a \"\" b", "a b"},
           {"van 🚐", "van"},
           {"a + b", "a b"},
           {"a & -b", "a -[b]"}});
}

BOOST_AUTO_TEST_CASE(words_of_any_script) {
    const auto all = [](std::string_view text) {
        std::string out;
        for (const std::string& word : words(text)) out += word + '|';
        return out;
    };
    BOOST_TEST(all("") == "");
    BOOST_TEST(all("VW Golf, 3D-print: C++") == "vw|golf|3d|print|c|");
    BOOST_TEST(all("Müller & Söhne_GmbH") == "muller|sohne|gmbh|");
    BOOST_TEST(all("Привет МИР") == "привет|мир|");
    BOOST_TEST(all("हिन्दी में") == "हिन्दी|में|");
    BOOST_TEST(all("ภาษาไทย") == "ภา|ษา|ไท|ย|");
    BOOST_TEST(all("한국어 문서") == "한국어|문서|");
    BOOST_TEST(all("日本語のテキスト、々〆") == "日|本|語|の|テ|キ|ス|ト|々|〆|");
    BOOST_TEST(all("ぁゖァヺカーヾㇰ㐀龘") == "ぁ|ゖ|ァ|ヺ|カ|ー|ヾ|ㇰ|㐀|龘|");
    // Every edge of the ideographs' blocks: twice in a row, since one beside a letter would be parted anyway.
    for (const std::string c : {"々", "〇", "〡", "〩", "〱",  "〵", "〻",  "ぁ", "ゖ", "ゝ", "ゞ",  "ァ",   "ヺ",   "ー",
                                "ヾ", "ㇰ", "ㇿ", "㐀", "䶿", "一", "鿿", "﨎", "﨩", "𛀀",  "𠀀",  "𪛟", "𲎯", "ก",
                                "ฯ",  "ๆ",  "ກ",  "ໟ",  "က",   "ဿ",  "ၐ",   "ក",  "ឳ",  "ៗ",  "ꧠ", "ꩠ"})
        BOOST_TEST((words(c + c) == std::vector<std::string>{c, c}), c << ": " << all(c + c));
    BOOST_TEST(all("❶b Ⅻ") == "❶b|xii|");
    BOOST_TEST(all("𠀀𪜶") == "𠀀|𪜶|");
    BOOST_TEST(all("เก้าอี้ ແລ້ວ ສ\u0EB0 ក្ដី") == "เก\u0E49า|อ\u0E35\u0E49|ແລ\u0EC9|ວ|ສ\u0EB0|ក\u17D2|ដ\u17B8|");
    BOOST_TEST(all("か\u309Aき") == "か\u309A|き|");
    BOOST_TEST(all("٣٤ ½ x²") == "٣٤|1|2|x2|");
    BOOST_TEST(all("a\u200Bb a\u00ADb a b") == "ab|ab|a|b|");
}

BOOST_AUTO_TEST_CASE(a_word_is_its_own_only_word) {
    std::mt19937 random(3);
    constexpr std::string_view bits[] = {"a",      "É",      "ß",      "日",     "が",     "ｶ", "ﾞ",      "\u3099",
                                         "한",     "\u1112", "\u1161", "\u0E31", "\u093F", "-", "ﷺ",      "㍿",
                                         "Ж",      "\u05B8", "\u05C1", "ש",      "ก",      "เ", "า",      "ក",
                                         "\u17D2", "က",      "٣",      "²",      "ŉ",      "☃", "\u00AD", " "};
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (int n = 0; n < 8; ++n) text += bits[random() % std::size(bits)];
        for (const std::string& word : words(text)) BOOST_REQUIRE(words(word) == std::vector<std::string>{word});
    }
}

BOOST_AUTO_TEST_SUITE_END()
