#include "core/slug.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "core/utf8.h"
#include "core/uuid.h"

using namespace tradepost;
using namespace tradepost::core;

BOOST_AUTO_TEST_SUITE(slug)

BOOST_AUTO_TEST_CASE(slugs_are_readable) {
    BOOST_TEST(slugify("Sales Advisor (m/f)", "job") == "sales-advisor-m-f");
    BOOST_TEST(slugify("  --Volkswagen  Golf!!--  ", "job") == "volkswagen-golf");
    BOOST_TEST(slugify("O'Brien & Sons", "job") == "obrien-sons");
    BOOST_TEST(slugify("Caf\xC3\xA9 M\xC3\xBCller Stra\xC3\x9F"
                       "e",
                       "job") == "cafe-muller-strasse");
    BOOST_TEST(slugify("C++ / C#", "job") == "c-c");
    BOOST_TEST(slugify("3D", "job") == "3d");
    BOOST_TEST(slugify("\xEF\xBC\xA1\xEF\xBC\xA2\xEF\xBC\x91", "job") == "ab1");  // full-width letters
}

BOOST_AUTO_TEST_CASE(other_scripts_are_written_in_latin_letters) {
    static constexpr std::pair<std::string_view, std::string_view> table[] = {
        {"上海汽车销售顾问", "shang-hai-qi-che-xiao-shou-gu-wen"},
        {"Продавец автомобилей", "prodavec-avtomobilej"},
        {"مستشار مبيعات", "mstshar-mby-at"},
        {"판매 컨설턴트", "panmae-keonseolteonteu"},
        {"Πωλητής", "poletes"},
        {"मोटर", "motara"},
        {"BMW 3シリーズ", "bmw-3shirizu"},
        {"Café — Müller", "cafe-muller"},
        {"Straße №5 ™", "strasse-no5"},
    };
    for (const auto& [text, slug] : table) BOOST_TEST(slugify(text, "job") == slug, text);
}

BOOST_AUTO_TEST_CASE(nothing_left_gives_the_kind_and_the_beginning_of_the_id) {
    for (const char* text : {"", " ", "---", "!?", "\xF0\x9F\x98\x80", "'"}) {
        BOOST_TEST(slugify(text, "job") == "job", text);
        BOOST_TEST(slugify(text, "job", "0195f0a0-0000-7000-8000-00000000a001") == "job-0195f0a0", text);
    }
    BOOST_TEST(is_slug(slugify("", "job", "0195f0a0-0000-7000-8000-00000000a001")));
    BOOST_TEST(slugify("Facets", "job", "0195f0a0-0000-7000-8000-00000000a001") == "job-facets");
}

BOOST_AUTO_TEST_CASE(slugs_are_at_most_100_characters_cut_at_a_word) {
    BOOST_TEST(slugify(std::string(100, 'a'), "job") == std::string(100, 'a'));
    BOOST_TEST(slugify(std::string(101, 'a'), "job") == std::string(100, 'a'));
    BOOST_TEST(slugify(std::string(60, 'a') + " " + std::string(60, 'b'), "job") == std::string(60, 'a'));
    BOOST_TEST(slugify(std::string(10, 'a') + " " + std::string(120, 'b'), "job") ==
               std::string(10, 'a') + "-" + std::string(89, 'b'));
    BOOST_TEST(slugify(std::string(99, 'a') + " " + std::string(60, 'b'), "job") == std::string(99, 'a'));
}

BOOST_AUTO_TEST_CASE(slugs_are_never_shaped_like_ids) {
    const std::string id = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f";
    BOOST_TEST(slugify(id, "job") == "job-" + id);
    BOOST_TEST(slugify("{017F22E2 79B0 7CC3 98C4 DC0C0C07398F}", "job") == "job-" + id);
    BOOST_TEST(!is_slug(id));
    BOOST_TEST(is_slug("job-" + id));
    BOOST_TEST(is_slug("017f22e2-79b0-7cc3-98c4-dc0c0c07398"));
    // Nor does a number make one of what is nearly an id.
    for (const int n : {2, 10, 999999999, 2147483647})
        BOOST_TEST(!core::Uuid::parse(numbered_slug("017f22e2-79b0-7cc3-98c4", n)));
}

BOOST_AUTO_TEST_CASE(slugs_are_never_another_route) {
    BOOST_TEST(slugify("Facets!", "job") == "job-facets");
    BOOST_TEST(slugify("Facets 2", "job") == "facets-2");
    BOOST_TEST(!is_slug("facets"));
    BOOST_TEST(slugify("Feed", "job") == "job-feed");
    BOOST_TEST(!is_slug("feed"));
}

BOOST_AUTO_TEST_CASE(every_slug_is_one_by_its_own_rule) {
    std::string text;
    for (char32_t c = 1; c < 0x3000; c += 3) {
        if (c % 40 == 0) text += ' ';
        core::append_code_point(text, c);
        if (text.size() < 200) continue;
        const auto made = slugify(text, "post");
        BOOST_TEST(is_slug(made), made);
        BOOST_TEST(made.size() <= 100u);
        BOOST_TEST(made.find("--") == std::string::npos);
        BOOST_TEST(slugify(made, "post") == made);
        text.clear();
    }
}

BOOST_AUTO_TEST_CASE(what_is_a_slug) {
    for (const std::string& text :
         {std::string("a"), std::string("1"), std::string("a-b"), std::string("2-a"), std::string(120, 'a')})
        BOOST_TEST(is_slug(text), text);
    for (const std::string& text :
         {std::string(), std::string("-"), std::string("-a"), std::string("a-"), std::string("A"), std::string("a b"),
          std::string("a_b"), std::string("a.b"), std::string("a/b"), std::string("caf\xC3\xA9"), std::string("a\0", 2),
          std::string("a\n"), std::string(121, 'a'), std::string("`"), std::string("{")})
        BOOST_TEST(!is_slug(text), text);
}

BOOST_AUTO_TEST_CASE(numbers_tell_same_names_apart) {
    BOOST_TEST(numbered_slug("a", 1) == "a");
    BOOST_TEST(numbered_slug("a", 2) == "a-2");
    BOOST_TEST(numbered_slug("a", 15) == "a-15");
    BOOST_TEST(is_slug(numbered_slug(std::string(100, 'a'), 2147483647)));
}

BOOST_AUTO_TEST_SUITE_END()
