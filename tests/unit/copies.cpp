// A copy for tests: nothing leaves a process that has read its settings. And the texts that take the place of names.
#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/config.h"
#include "core/email.h"
#include "core/outgoing.h"
#include "ctl/pseudonyms/words.h"
#include "deliver/kinds.h"
#include "mail/smtp.h"
#include "net/client.h"
#include "net/handle.h"

using namespace tradepost;

namespace {

struct Allowed {
    ~Allowed() { core::outgoing_is_forbidden = false; }
};

core::Config load(const std::string& text) {
    const auto file = std::filesystem::temp_directory_path() / "tradepost-copy.toml";
    std::ofstream(file) << text;
    const std::shared_ptr<void> removed(nullptr, [&](void*) { std::filesystem::remove(file); });
    return core::load_config(file);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(copies)

BOOST_FIXTURE_TEST_CASE(nothing_is_sent_once_the_settings_of_a_copy_were_read, Allowed) {
    BOOST_TEST(!load("").copy);
    BOOST_TEST(!core::outgoing_is_forbidden);
    const net::Rules rules{net::Networks({"127.0.0.1"}), ""};
    BOOST_TEST(net::perform(rules, {.url = "http://127.0.0.1:1/"}).failure == "the connection was refused");

    const auto config =
        load("[copy]\nof = \"shop\"\non = \"2026-11-28\"\n[mail]\nsmtp = \"smtp://127.0.0.1:1\"\nfrom = \"a@b.example\"\n");
    BOOST_TEST(config.copy.value().of == "shop");
    BOOST_TEST(config.copy->on == "2026-11-28");
    BOOST_CHECK_THROW(net::perform(rules, {.url = "http://127.0.0.1:1/"}), net::Forbidden);
    BOOST_CHECK_THROW(mail::Smtp(config.mail).check(), net::Forbidden);
    (void)load("");
    BOOST_TEST(core::outgoing_is_forbidden);
}

BOOST_FIXTURE_TEST_CASE(a_section_that_says_too_little_is_refused, Allowed) {
    for (const char* wrong : {"", "of = \"shop\"", "on = \"2026-11-28\"", "of = \"\"\non = \"2026-11-28\"",
                              "of = \"shop\"\non = \"today\"", "of = \"shop\"\non = \"2026-11-28\"\nuntil = \"\""})
        BOOST_CHECK_THROW(load("[copy]\n" + std::string(wrong) + "\n"), core::ConfigError);
    BOOST_CHECK_THROW(load("copy = true\n"), core::ConfigError);
}

BOOST_AUTO_TEST_CASE(only_kinds_that_stay_inside_are_delivered_in_a_copy) {
    for (const char* kind : {"mail reset", "mail enquiry", "push enquiry", "webhook", "webhook twice", "fetch"})
        if (const auto* found = deliver::find_kind(kind)) BOOST_TEST(!found->stays_inside, kind);
    BOOST_TEST(deliver::find_kind("nothing")->stays_inside);
}

BOOST_AUTO_TEST_CASE(pseudonyms_have_the_shape_of_what_they_replace) {
    const ctl::Pseudonyms one("a key"), other("another key");
    const auto shape = [](std::string text) {
        for (auto& c : text) c = c >= 'A' && c <= 'Z' ? 'A' : c >= 'a' && c <= 'z' ? 'a' : c >= '0' && c <= '9' ? '0' : c;
        return text;
    };
    for (const std::string text :
         {"Anna Berg", "O'Neil-Smith, Jr.", "Is it for sale?\nCall 0171 2345678 after 6 pm.", "", "?!"}) {
        BOOST_TEST(shape(one.name(text)) == shape(text));
        BOOST_TEST(one.text(text) == one.text(text));
        if (text.size() > 2) {
            BOOST_TEST(one.text(text) != text);
            BOOST_TEST(one.text(text) != other.text(text));
        }
    }
    BOOST_TEST(shape(one.name("Jürgen Größ")) == "Aaaaaa Aaaa");
    BOOST_TEST(shape(one.phone("+44 (0)1632 960-011")) == "+00 (0)0000 000-000");
    BOOST_TEST(one.phone("+44 1632 960011").starts_with("+99 9"));
    BOOST_TEST(one.phone("01632 960011").starts_with("0999"));
    BOOST_TEST(one.phone("0171 1234567 Anna").find("Anna") == std::string::npos);
    BOOST_TEST(one.phone("01632-960011").size() == 12u);
    BOOST_TEST(one.filename("Anna Berg.pdf").ends_with(".pdf"));
    BOOST_TEST(one.filename("Anna Berg.pdf").find("Anna") == std::string::npos);
    BOOST_TEST(one.email("anna@berg.example") == one.email(" Anna@Berg.example"));
    std::set<std::string> all;
    for (int i = 0; i < 5000; ++i) {
        const auto email = one.email("user" + std::to_string(i) + "@dealer.example");
        all.insert(email);
        if (i < 10) BOOST_TEST(core::parse_email(email).value_or("") == email);
    }
    BOOST_TEST(all.size() == 5000u);
}

BOOST_AUTO_TEST_CASE(public_texts_keep_all_but_email_addresses_and_telephone_numbers) {
    const ctl::Pseudonyms one("a key");
    for (const char* text :
         {"", "1 000 000 km, 01.02.2026, since 1998", "Part 0 986 42, 30,000 @ 5 %", "Größe: 10 m²", "a@b", "@"})
        BOOST_TEST(one.without_contacts(text) == text);
    BOOST_TEST(one.without_contacts("Write to Größ.Anna@berg.example. Or ring +44 1632 960011, or 0171/2345678!") ==
               "Write to " + one.email("Größ.Anna@berg.example") + ". Or ring " + one.phone("+44 1632 960011") + ", or " +
                   one.phone("0171/2345678") + "!");
}

BOOST_AUTO_TEST_SUITE_END()
