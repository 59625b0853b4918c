#include "core/text.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <random>

#include "core/crypto.h"
#include "core/utf8.h"

using namespace tradepost::core;

namespace {

std::string utf8(char32_t c) {
    std::string text;
    append_code_point(text, c);
    return text;
}

bool is_surrogate(char32_t c) {
    return c >= 0xD800 && c <= 0xDFFF;
}

// RFC 3629, section 4, as a decoder that knows nothing but the definition: the shortest form of a scalar value.
bool is_utf8_by_definition(std::string_view text) {
    while (!text.empty()) {
        const auto first = static_cast<unsigned char>(text[0]);
        const std::size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
        if (length == 0 || text.size() < length) return false;
        char32_t c = length == 1 ? first : first & (0x7F >> length);
        for (std::size_t i = 1; i < length; ++i) {
            if ((text[i] & 0xC0) != 0x80) return false;
            c = c << 6 | (text[i] & 0x3F);
        }
        if (c > 0x10FFFF || is_surrogate(c) || utf8(c) != text.substr(0, length)) return false;
        text.remove_prefix(length);
    }
    return true;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text)

BOOST_AUTO_TEST_CASE(utf8_is_told_from_what_only_looks_like_it) {
    BOOST_TEST(is_utf8(""));
    BOOST_TEST(is_utf8("plain ASCII, longer than one block"));
    BOOST_TEST(
        is_utf8("\xC2\x80 \xDF\xBF \xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xEF\xBF\xBF \xF0\x90\x80\x80 \xF4\x8F\xBF\xBF"));
    BOOST_TEST(is_utf8(std::string_view("\0", 1)));
    for (const std::string_view bad : {"\x80",
                                       "\xBF",
                                       "\xC0\x80",
                                       "\xC1\xBF",
                                       "\xC2",
                                       "\xC2 ",
                                       "\xE0\x9F\xBF",
                                       "\xE2\x82",
                                       "\xE2\x82 ",
                                       "\xED\xA0\x80",
                                       "\xED\xBF\xBF",
                                       "\xF0\x8F\xBF\xBF",
                                       "\xF0\x9F\x98",
                                       "\xF4\x90\x80\x80",
                                       "\xF5\x80\x80\x80",
                                       "\xFE",
                                       "\xFF",
                                       "eight ok\xFF",
                                       "12345678\xC3",
                                       "seven..\xC3"})
        BOOST_TEST(!is_utf8(bad));
}

BOOST_AUTO_TEST_CASE(utf8_is_looked_at_in_every_place_of_a_block) {
    for (std::size_t size : {1, 7, 8, 9, 16, 23})
        for (std::size_t at = 0; at < size; ++at) {
            std::string bytes(size, 'a');
            bytes[at] = '\xFF';
            BOOST_TEST(!is_utf8(bytes));
        }
}

BOOST_AUTO_TEST_CASE(utf8_agrees_with_the_definition_on_every_short_string) {
    for (unsigned i = 0; i < 1u << 16; ++i) {
        const char bytes[] = {char(i >> 8), char(i)};
        BOOST_REQUIRE_EQUAL(is_utf8({bytes, 2}), is_utf8_by_definition({bytes, 2}));
    }
    std::mt19937 random(1);
    constexpr unsigned char edges[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF,
                                       0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};
    for (int i = 0; i < 200000; ++i) {
        std::string bytes(random() % 8, 'a');
        for (unsigned n = 3 + random() % 3; n > 0; --n) bytes += char(edges[random() % sizeof edges]);
        BOOST_REQUIRE_EQUAL(is_utf8(bytes), is_utf8_by_definition(bytes));
    }
}

BOOST_AUTO_TEST_CASE(code_points_are_counted_not_bytes) {
    BOOST_TEST(code_points("") == 0u);
    BOOST_TEST(code_points("aé日😀") == 4u);
}

BOOST_AUTO_TEST_CASE(trim_takes_ascii_white_space_off_both_ends) {
    BOOST_TEST(trim(" \t\n\v\f\r a b \t\n\v\f\r") == "a b");
    BOOST_TEST(trim(" \t ") == "");
    BOOST_TEST(trim("") == "");
    BOOST_TEST(trim("\u00A0a") == "\u00A0a");
}

BOOST_AUTO_TEST_CASE(lower_ascii_touches_nothing_else) {
    BOOST_TEST(lower_ascii("AZ[@`É") == "az[@`É");
}

BOOST_AUTO_TEST_CASE(fold_takes_case_and_accents_away) {
    const std::pair<std::string_view, std::string_view> folded[] = {
        {"", ""},
        {"Plain ASCII 3D", "plain ascii 3d"},
        {"Café", "cafe"},
        {"Cafe\u0301", "cafe"},
        {"ÅNGSTRÖM", "angstrom"},
        {"Straße STRASSE ẞ", "strasse strasse ss"},
        {"Łódź Gdańsk", "lodz gdansk"},
        {"Đorđe ðær Þór", "dorde daer thor"},
        {"Ærø Œuvre", "aero oeuvre"},
        {"İstanbul ısı IŞIK", "istanbul isi isik"},
        {"Ħamrun ŧ ŋ", "hamrun t n"},
        {"ﬁne ﬃ", "fine ffi"},
        {"ＦＵＬＬ　ｗｉｄｔｈ", "full width"},
        {"H₂O m² Ⅷ", "h2o m2 viii"},
        {"ΜΈΓΑΣ ᾳ α\u0345", "μεγασ α α"},
        {"Ёлка Й", "елка и"},
        {"soft\u00ADhyphen zero\u200Bwidth \uFEFFmark", "softhyphen zerowidth mark"},
        {"♥\uFE0F", "♥"},
        {"Acme™ ℠", "acme™ ℠"},
        {"한국어", "한국어"},
        {"\u1112\u1161\u11AB", "한"},
        {"ｶﾞ か\u3099", "ガ が"},
        {"हिन्दी", "हिन्दी"},                            // vowel signs and virama stay
        {"שָׁלוֹם", "שָׁלוֹם"},                              // points stay …
        {"\u05E9\u05C1\u05B8", "\u05E9\u05B8\u05C1"},  // … in their canonical order
        {"ไทย", "ไทย"},
    };
    for (const auto& [from, to] : folded) BOOST_TEST(fold(from) == to, fold(from) << " for " << from);
}

BOOST_AUTO_TEST_CASE(fold_drops_accents_of_every_block) {
    for (const char32_t c : {0x0300, 0x036F, 0x1AB0, 0x1AFF, 0x1DC0, 0x1DFF, 0x20D0, 0x20FF, 0xFE20, 0xFE2F})
        BOOST_TEST(fold("a" + utf8(c) + "b") == "ab", std::hex << unsigned(c));
    BOOST_TEST(fold("a\u0E31") == "a\u0E31");
}

BOOST_AUTO_TEST_CASE(folding_again_changes_nothing) {
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        if (is_surrogate(c)) continue;
        const std::string once = fold(utf8(c));
        if (!is_utf8(once) || fold(once) != once) BOOST_ERROR("U+" << std::hex << unsigned(c) << " folds to " << once);
    }
    std::mt19937 random(2);
    constexpr char32_t blocks[] = {0x0041, 0x00C0, 0x0370, 0x0400, 0x0590, 0x0620, 0x0900, 0x0E00, 0x1100,  0x1161,
                                   0x11A8, 0x1F00, 0x0300, 0x3040, 0x3099, 0xAC00, 0xFB00, 0xFF60, 0x11130, 0x1D15E};
    for (int i = 0; i < 50000; ++i) {
        std::string text;
        for (int n = 0; n < 5; ++n) text += utf8(blocks[random() % std::size(blocks)] + random() % 96);
        const std::string once = fold(text);
        BOOST_REQUIRE_EQUAL(fold(once), once);
    }
}

BOOST_AUTO_TEST_CASE(canonically_equal_texts_fold_alike) {
    BOOST_TEST(fold("Ǽ Ǿ ẖ ǰ ΐ") == fold("\u00C6\u0301 \u00D8\u0301 h\u0331 j\u030C \u03B9\u0308\u0301"));
}

BOOST_AUTO_TEST_CASE(fold_key_is_equal_where_filters_are_equal) {
    BOOST_TEST(fold_key("").empty());
    BOOST_TEST(fold_key(" \t\u3000\u00AD").empty());
    BOOST_TEST(fold_key("Parts & Service").size() == 16u);
    BOOST_TEST(fold_key("parts & service") == sha256("parts & service").substr(0, 16));
    BOOST_TEST(fold_key("  PARTS\u00A0&\u2003 \n Sérvice\u2028") == fold_key("parts & service"));
    BOOST_TEST(fold_key("parts and service") != fold_key("parts & service"));
    BOOST_TEST(fold_key("partsservice") != fold_key("parts service"));
}

BOOST_AUTO_TEST_SUITE_END()
