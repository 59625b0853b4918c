// Letters from template files: the package's, and those that an operator puts in their place.
#include "mail/templates.h"

#define BOOST_TEST_DYN_LINK
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "mail/letters.h"

using namespace tradepost;
using namespace tradepost::mail;

namespace {

struct Fixture {
    std::string folder = (std::filesystem::temp_directory_path() / "tradepost-mail.XXXXXX").string();
    Fixture() { BOOST_REQUIRE(mkdtemp(folder.data())); }
    ~Fixture() { std::filesystem::remove_all(folder); }

    void write(const std::string& name, const std::string& text) const { std::ofstream(folder + "/" + name) << text; }

    std::string error_of(const std::string& text, const std::string& html, const json::Json& values) const {
        write("x.txt", text);
        write("x.html", html);
        try {
            (void)Templates({folder}).render("x", values);
        } catch (const TemplateError& error) {
            const std::string what = error.what();
            return what.starts_with(folder + "/") ? what.substr(folder.size() + 1) : what;
        }
        return "rendered";
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(mail_templates, Fixture)

BOOST_AUTO_TEST_CASE(values_are_escaped_in_html_alone) {
    write("x.txt", "For {{name}}\n\nDear {{name}}{{#items}}, {{title}}{{/items}}.\n");
    write("x.html", "<p>{{name}}{{#items}}, {{title}}{{/items}}</p>\n");
    const auto texts =
        Templates({folder}).render("x", {{"name", "A & <b>\"'"}, {"items", {{{"title", "1<2"}}, {{"title", "{{name}}"}}}}});
    BOOST_TEST(texts.subject == "For A & <b>\"'");
    BOOST_TEST(texts.text == "Dear A & <b>\"', 1<2, {{name}}.\n");
    BOOST_TEST(texts.html == "<p>A &amp; &lt;b&gt;&quot;&apos;, 1&lt;2, {{name}}</p>\n");
}

BOOST_AUTO_TEST_CASE(a_value_in_the_subject_moves_nothing_into_the_text) {
    write("x.txt", "For {{name}}\nText\n");
    write("x.html", "x");
    const auto texts = Templates({folder}).render("x", {{"name", "A\nB"}});
    BOOST_TEST(texts.subject == "For A\nB");
    BOOST_TEST(texts.text == "Text\n");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_named) {
    const json::Json values{{"name", "A"}};
    BOOST_TEST(error_of("S\n{{nam}}", "x", values) == "x.txt: this letter has no {{nam}}; correct the name");
    BOOST_TEST(error_of("S\nT", "{{#names}}x{{/names}}", values) == "x.html: this letter has no {{names}}; correct the name");
    BOOST_TEST(error_of("S\nT", "{{{name}}}", values) == "x.html: {{{ is not supported; write {{name}}");
    BOOST_TEST(error_of("S\nT", "{{&name}}", values) == "x.html: {{& is not supported; write {{name}}");
    BOOST_TEST(error_of("S\nT", "{{=<% %>=}}", values) == "x.html: {{= is not supported; write {{name}}");
    BOOST_TEST(error_of("S\nT", "{{>name}}", values) == "x.html: {{>name}} is not supported; write its text here");
    BOOST_TEST(error_of("S\nT", "{{#name}}x", values).starts_with("x.html: is no Mustache template: "));
    BOOST_TEST(error_of("\nT", "x", values) == "x.txt: the first line must be the subject of the letter");
    BOOST_TEST(error_of("S\n\xff", "x", values) == "x.txt: cannot be read, is empty or not in UTF-8; correct or remove it");
    BOOST_TEST(error_of("S\nT", "x", values) == "rendered");
}

BOOST_AUTO_TEST_CASE(the_operators_file_wins) {
    const std::string packaged = "fcgi-app/mail/templates";
    const Templates templates({folder, packaged});
    BOOST_TEST(templates.render("test", {{"service", "Here"}}).subject == "A test from Here");
    write("test.txt", "Mine\nText");
    BOOST_TEST(templates.render("test", {{"service", "Here"}}).subject == "Mine");
    BOOST_TEST(templates.render("test", {{"service", "Here"}}).html.find("Here can send mail") != std::string::npos);
    BOOST_CHECK_THROW((void)templates.render("none", {}), TemplateError);
}

// What doctor looks at.
BOOST_AUTO_TEST_CASE(all_letters_of_the_package_can_be_written) {
    BOOST_TEST(template_faults(Templates({"fcgi-app/mail/templates"})).empty());
    write("reset.txt", "S\n{{who}}");
    const auto faults = template_faults(Templates({folder, "fcgi-app/mail/templates"}));
    BOOST_REQUIRE_EQUAL(faults.size(), 1u);
    BOOST_TEST(faults[0] == folder + "/reset.txt: this letter has no {{who}}; correct the name");
}

BOOST_AUTO_TEST_SUITE_END()
