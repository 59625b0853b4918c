// Texts and references that are older than the rule for texts: nothing changes them, `doctor` lists them, and imports still find their rows.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "repo/ctl_support.h"

using namespace tradepost;

namespace {

struct Fixture : test::CtlFixture {
    static std::string stock(const std::string& reference, const std::string& title = "Tractor") {
        return R"({"organisation":"north-tractors","reference":")" + reference + R"(","title":")" + title + "\"}\n";
    }
    std::string put(const std::string& text) { return import(ctl::import_stock, text); }
    std::string put_jobs(const std::string& text) { return import(ctl::import_jobs, text); }
    std::string references() { return value("GROUP_CONCAT(CONCAT('<', reference, '>') ORDER BY reference) FROM stock_items"); }
    // The lines of doctor about texts.
    std::string doctor() {
        const auto result = ctl({"doctor", "--sql", "sql", "--no-web"});
        std::istringstream lines(result.out);
        std::string told;
        for (std::string line; std::getline(lines, line);)
            if (line.find("texts") != std::string::npos || line.find("reference") != std::string::npos) told += line + "\n";
        return told;
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(old_texts, Fixture)

BOOST_AUTO_TEST_CASE(imports_write_texts_by_the_rule) {
    BOOST_TEST(put(stock(" T-1\\u200b", "\\u00a0Big\\ntractor ")) == "1/0/0");
    BOOST_TEST(value("CONCAT(reference, '|', title) FROM stock_items") == "T-1|Big tractor");
    BOOST_TEST(put(stock("T-1", "Big tractor")) == "0/0/1");
    BOOST_TEST(put(stock("T-1 ", "Big tractor")) == "0/0/1");
    BOOST_TEST(put(stock("A") + stock(" A")).find("reference") != std::string::npos);
    BOOST_TEST(put(stock("B", "\\u200b")).find("title: must have a visible character") != std::string::npos);
    BOOST_TEST(references() == "<T-1>");
    BOOST_TEST(put(stock("e\\u0301")) == "1/0/0");
    BOOST_TEST(put(stock("\\u00e9")) == "0/0/1");
    BOOST_TEST(put_jobs(R"({"organisation":"north-tractors","reference":" J ","title":"Продавец"})") == "1/0/0");
    BOOST_TEST(put_jobs(R"({"organisation":"north-tractors","reference":"J","title":" Продавец"})") == "0/0/1");
    BOOST_TEST(value("CONCAT(reference, '|', title, '|', slug) FROM jobs") == "J|Продавец|prodavec");
    BOOST_TEST(put_jobs(R"({"organisation":"north-tractors","id":"0190a000-0000-7000-8000-000000000009","title":"☃"})") ==
               "1/0/0");
    BOOST_TEST(value("slug FROM jobs WHERE title = '☃'") == "job-0190a000");
}

BOOST_AUTO_TEST_CASE(an_import_finds_rows_by_an_older_reference) {
    put(stock("T-1"));
    put_jobs(R"({"organisation":"north-tractors","reference":"J","title":"x"})");
    connection.execute("UPDATE stock_items SET reference = ' T-1 '");
    connection.execute("UPDATE jobs SET reference = ' J '");
    BOOST_TEST(put(stock(" T-1 ")) == "0/0/1");
    BOOST_TEST(put_jobs(R"({"organisation":"north-tractors","reference":" J ","title":"x"})") == "0/0/1");
    BOOST_TEST(references() == "< T-1 >");
    // The reference without spaces is free: it names another row.
    BOOST_TEST(put(stock("T-1")) == "1/0/0");
    BOOST_TEST(put(stock(" T-1 ", "Old")) == "0/1/0");
    BOOST_TEST(value("title FROM stock_items WHERE reference = ' T-1 '") == "Old");
}

BOOST_AUTO_TEST_CASE(options_follow_the_rule) {
    BOOST_TEST(ctl({"org", "add", "--name", "\u200BCafe\u0301 Nord\n", "--json"}).code == 0);
    BOOST_TEST(value("CONCAT(name, '|', slug) FROM organisations WHERE slug LIKE 'cafe%'") == "Caf\u00E9 Nord|cafe-nord");
    fails(ctl({"org", "add", "--name", "\u200B"}), 2, "--name: must be 1 to 150 characters long");
    BOOST_TEST(
        ctl({"user", "add", "--email", "a@b.example", "--name", " Ann\u00A0Lee\u2028", "--password-stdin"}, "correct horse x\n")
            .code == 0);
    BOOST_TEST(value("name FROM users WHERE email = 'a@b.example'") == "Ann\u00A0Lee");
}

BOOST_AUTO_TEST_CASE(doctor_lists_older_texts_and_changes_nothing) {
    BOOST_TEST(
        doctor() ==
        "ok   texts of organisations\nok   texts of users\nok   texts of jobs\nok   texts of stock items\nok   texts of events\n"
        "ok   texts of posts\n");
    put(R"({"organisation":"north-tractors","id":"0190a000-0000-7000-8000-000000000001","reference":"T-1","title":"x"})"
        "\n"
        R"({"organisation":"north-tractors","id":"0190a000-0000-7000-8000-000000000002","reference":"T-2","title":"x"})"
        "\n"
        R"({"organisation":"north-tractors","id":"0190a000-0000-7000-8000-000000000003","reference":"T-3","title":"x"})"
        "\n"
        R"({"organisation":"south-marine","id":"0190a000-0000-7000-8000-000000000004","reference":"T-4","title":"x"})");
    connection.execute("UPDATE stock_items SET reference = ' T-1' WHERE reference = 'T-2'");
    connection.execute("UPDATE stock_items SET title = ' ', make = 'a\nb' WHERE reference = 'T-3'");
    connection.execute("UPDATE stock_items SET reference = 'T-1 ' WHERE reference = 'T-4'");
    const std::string row = "0190a000-0000-7000-8000-00000000000";
    const auto told = doctor();
    BOOST_TEST(told.find("WARN 1 stock items have the reference of another one but for white space and accents: " + row +
                         "2 ( T-1): ") != std::string::npos,
               told);
    BOOST_TEST(told.find("WARN 3 stock items have texts as no new one may have them: " + row + "2 (reference), " + row +
                         "3 (title make), " + row + "4 (reference): ") != std::string::npos,
               told);
    BOOST_TEST(told.find("ok   texts of stock items") == std::string::npos);
    BOOST_TEST(references() == "< T-1>,<T-1>,<T-1 >,<T-3>");
    // Two old references may be one without any third.
    connection.execute("DELETE FROM stock_items WHERE reference = 'T-1'");
    connection.execute("UPDATE stock_items SET reference = 'T-1 ', title = 'x' WHERE reference = 'T-3'");
    BOOST_TEST(doctor().find("WARN 1 stock items have the reference of another one but for white space and accents: " + row +
                             "3 (T-1 ): ") != std::string::npos);
    BOOST_TEST(ctl({"doctor", "--sql", "sql", "--no-web"}).code == 0);
}

BOOST_AUTO_TEST_SUITE_END()
