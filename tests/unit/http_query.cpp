#include "http/query.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "http/error.h"
#include "http/pagination.h"
#include "support/refusal.h"

using namespace tradepost::http;
using tradepost::test::refusal;

namespace {

const std::string refused = "400 Invalid query";

std::string value(std::string_view query, std::string_view name = "a") {
    return std::string(Query(query).single(name).value_or("(none)"));
}

Page page_of(std::string_view query) {
    return read_page(Query(query));
}

std::string links(std::string_view query, std::int64_t total) {
    Response response;
    const Query parsed(query);
    const auto page = read_page(parsed);
    parsed.filter("q");
    parsed.filters("city");
    add_page_headers(response, "https://h/api/v1/jobs", parsed, page, total);
    BOOST_TEST(response.header("X-Total-Count").value() == std::to_string(total));
    return std::string(response.header("Link").value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(query)

BOOST_AUTO_TEST_CASE(values_are_decoded) {
    BOOST_TEST(value("a=b") == "b");
    BOOST_TEST(value("a=b+c%20d%2Be") == "b c d+e");
    BOOST_TEST(value("a=%C3%A9%c3%a9") == "\xC3\xA9\xC3\xA9");
    BOOST_TEST(value("a=x=y") == "x=y");
    BOOST_TEST(value("a=x?y/z") == "x?y/z");
    BOOST_TEST(value("%61=1") == "1");
    BOOST_TEST(value("x+y=1", "x y") == "1");
    BOOST_TEST(value("a=%26%3D&b=2") == "&=");
    BOOST_TEST(value("a=%2541") == "%41");
}

BOOST_AUTO_TEST_CASE(names_without_values_and_empty_pairs) {
    BOOST_TEST(value("") == "(none)");
    BOOST_TEST(value("&&&") == "(none)");
    BOOST_TEST(value("a") == "");
    BOOST_TEST(value("a=") == "");
    BOOST_TEST(value("&a=1&") == "1");
    BOOST_TEST(value("b=2&=3") == "(none)");
    BOOST_TEST(value("A=1") == "(none)");
    BOOST_TEST(!Query("a=").filter("a"));
    BOOST_TEST(!Query("a").filter("a"));
    BOOST_TEST(!Query("").filter("a"));
    BOOST_TEST(Query("a=1").filter("a").value() == "1");
}

BOOST_AUTO_TEST_CASE(what_is_no_text_is_refused_wherever_it_stands) {
    for (const std::string bad :
         {"%",   "%4",    "%zz", "%4g", "%g4",    "x%",     "x%4",       "%%41",         "%-1", "%+1",  "%0x",
          "%00", "a%00b", "%FF", "%C3", "%C3%28", "%C0%80", "%ED%A0%80", "%F4%90%80%80", "%80", "\xFF", "\xC3"}) {
        BOOST_TEST(refusal([&] { Query("a=" + bad); }) == refused, bad);
        BOOST_TEST(refusal([&] { Query(bad + "=1"); }) == refused, bad);
        BOOST_TEST(refusal([&] { Query("b=1&unknown=" + bad + "&c=1"); }) == refused, bad);
    }
    BOOST_TEST(refusal([] { Query(std::string_view("a=\0", 3)); }) == refused);
    // Two halves of one character are no text each.
    BOOST_TEST(refusal([] { Query("a=%C3&b=%A9"); }) == refused);
}

BOOST_AUTO_TEST_CASE(repeated_parameters) {
    BOOST_TEST(refusal([] { (void)Query("a=1&a=1").single("a"); }) == refused);
    BOOST_TEST(refusal([] { (void)Query("a=1&%61=2").single("a"); }) == refused);
    BOOST_TEST(refusal([] { (void)Query("a=&a=").filter("a"); }) == refused);
    BOOST_TEST(refusal([] { (void)Query("a=1&a=1").integer("a", 0, 9); }) == refused);
    BOOST_TEST(value("b=1&b=2&a=3") == "3");
    const Query query("a=1&b=x&a=&a=2&a");
    BOOST_TEST(query.filters("a") == (std::vector<std::string_view>{"1", "2"}), boost::test_tools::per_element());
    BOOST_TEST(query.filters("none").empty());
}

BOOST_AUTO_TEST_CASE(brackets_repeat_a_parameter) {
    for (const char* query : {"a=1&a=2", "a[]=1&a[]=2", "a[0]=1&a[1]=2", "a[7]=1&a[3]=2", "a%5B%5D=1&a%5b0%5d=2", "a=1&a[]=2"})
        BOOST_TEST(Query(query).filters("a") == (std::vector<std::string_view>{"1", "2"}), boost::test_tools::per_element());
    BOOST_TEST(value("a[]=1") == "1");
    BOOST_TEST(refusal([] { (void)Query("a[]=1&a[]=2").single("a"); }) == refused);
    for (const char* query : {"[]=1", "[0]=1", "a[x]=1", "a[-1]=1", "a[ ]=1", "a]=1", "a[=1", "a[]x=1", "b[a]=1"})
        BOOST_TEST(value(query) == "(none)", query);
    BOOST_TEST(value("a[][]=1", "a[]") == "1");
}

BOOST_AUTO_TEST_CASE(times_take_a_plus_that_arrives_as_a_space) {
    const auto time = [](const std::string& text) { return tradepost::core::to_rfc3339(Query("a=" + text).time("a").value()); };
    for (const char* text : {"2026-03-01T12:00:00+02:00", "2026-03-01T12:00:00%2B02:00", "2026-03-01T12:00:00%2002:00",
                             "2026-03-01T10:00:00Z", "2026-03-01T08:00:00-02:00"})
        BOOST_TEST(time(text) == "2026-03-01T10:00:00.000Z", text);
    BOOST_TEST(!Query("").time("a"));
    BOOST_TEST(!Query("a=").time("a"));
    for (const char* text : {"2026-03-01", "2026-03-01+12:00:00Z", "2026-03-01T12:00+02:00", "2026-03-01T12:00:00++02:00",
                             "+02:00", "2026-03-01T12:00:00Z+", "+"})
        BOOST_TEST(refusal([&] { (void)Query(std::string("a=") + text).time("a"); }) == refused, text);
}

BOOST_AUTO_TEST_CASE(writes_take_only_what_they_know) {
    constexpr std::string_view known[] = {"a", "b"};
    const auto fault = [&](std::string_view query) -> std::string {
        try {
            Query(query).require_only(known);
            return "";
        } catch (const ApiError& error) {
            BOOST_TEST(error.headers.size() == 1u);
            BOOST_TEST(error.headers.at(0).first == "X-Invalid-Parameter");
            const auto& first = error.faults.at(0);
            return first.name + "|" + first.reason + "|" + error.headers.at(0).second;
        }
    };
    std::string many;
    for (int i = 0; i < 60; ++i) many += "c" + std::to_string(i) + "=1&";
    try {
        Query(many).require_only(known);
    } catch (const ApiError& error) {
        BOOST_TEST(error.faults.size() == 50u);
        BOOST_TEST(error.faults.back().name == "c49");
    }
    BOOST_TEST(fault(many) == "c0|is unknown|c0; is unknown");
    BOOST_TEST(fault("") == "");
    BOOST_TEST(fault("a=1&b=2") == "");
    BOOST_TEST(fault("&a=1&&") == "");
    BOOST_TEST(fault("a=1&c=2") == "c|is unknown|c; is unknown");
    BOOST_TEST(fault("A=1") == "A|is unknown|A; is unknown");
    BOOST_TEST(fault("a=") == "a|must not be empty|a; must not be empty");
    BOOST_TEST(fault("a=1&b") == "b|must not be empty|b; must not be empty");
    BOOST_TEST(fault("a=1&a=1") == "a|must be given once|a; must be given once");
    BOOST_TEST(fault("x%0D%0Ay%C3%A9;=1") == "x\r\ny\xC3\xA9;|is unknown|x%0D%0Ay%C3%A9%3B; is unknown");
}

BOOST_AUTO_TEST_CASE(integers_are_decimal_digits_within_their_bounds) {
    const auto integer = [](const std::string& text) { return Query("a=" + text).integer("a", 1, 100); };
    BOOST_TEST(integer("1").value() == 1);
    BOOST_TEST(integer("100").value() == 100);
    BOOST_TEST(integer("007").value() == 7);
    BOOST_TEST(!Query("").integer("a", 1, 100));
    for (const std::string text : {"",
                                   "0",
                                   "101",
                                   "-1",
                                   "-0",
                                   "%2B1",
                                   "+1",
                                   "1+",
                                   "%201",
                                   "1%20",
                                   "1.0",
                                   "1e1",
                                   "0x1",
                                   "1,0",
                                   "one",
                                   "99999999999999999999",
                                   "18446744073709551617",
                                   "%D9%A1",
                                   "1%0A",
                                   "--1"})
        BOOST_TEST(refusal([&] { integer(text); }) == refused, text);
    BOOST_TEST(refusal([] { (void)Query("a").integer("a", 0, 9); }) == refused);
    BOOST_TEST(refusal([] { (void)Query("a=-0").integer("a", 0, 9); }) == refused);
    BOOST_TEST(refusal([] { (void)Query("a=-5").integer("a", -9, 9); }) == refused);
}

BOOST_AUTO_TEST_CASE(percent_encoding_goes_both_ways) {
    std::string all;
    for (int c = 0; c < 256; ++c) all += char(c);
    BOOST_TEST(percent_decode(percent_encode(all), true).value() == all);
    BOOST_TEST(percent_decode(percent_encode(all), false).value() == all);
    // RFC 3986, section 2.3.
    BOOST_TEST(percent_encode("AZaz09-._~") == "AZaz09-._~");
    BOOST_TEST(percent_encode(" +/?#[]@!$&'()*,;=%\"<>") == "%20%2B%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2C%3B%3D%25%22%3C%3E");
    BOOST_TEST(percent_encode("\xC3\xA9") == "%C3%A9");
    BOOST_TEST(percent_decode("a+b", false).value() == "a+b");
    BOOST_TEST(percent_decode("a+b", true).value() == "a b");
    BOOST_TEST(!percent_decode("%4", false));
}

BOOST_AUTO_TEST_CASE(page_and_limit_have_defaults_and_bounds) {
    BOOST_TEST(page_of("").number == 1);
    BOOST_TEST(page_of("").limit == 20);
    BOOST_TEST(page_of("page=2147483647&limit=100").number == 2147483647);
    BOOST_TEST(page_of("page=2147483647&limit=100").offset() == 214748364600);
    BOOST_TEST(page_of("limit=1").limit == 1);
    for (const char* query :
         {"page=0", "page=2147483648", "page=-1", "page=", "page", "page=1&page=1", "page=1.5", "page=one", "limit=0",
          "limit=101", "limit=", "limit=1&limit=2", "limit=-5", "limit=%2020", "page=99999999999999999999"})
        BOOST_TEST(refusal([&] { page_of(query); }) == refused, query);
}

BOOST_AUTO_TEST_CASE(pages_are_counted_up) {
    BOOST_TEST(page_of("").pages(0) == 0);
    BOOST_TEST(page_of("").pages(1) == 1);
    BOOST_TEST(page_of("").pages(20) == 1);
    BOOST_TEST(page_of("").pages(21) == 2);
    BOOST_TEST(page_of("limit=100").pages(10001) == 101);
    BOOST_TEST(page_of("page=3&limit=7").offset() == 14);
}

// RFC 8288, section 3.
BOOST_AUTO_TEST_CASE(links_to_the_other_pages) {
    const auto link = [](const char* page, const char* relation) {
        return std::string("<https://h/api/v1/jobs?page=") + page + ">; rel=\"" + relation + "\"";
    };
    BOOST_TEST(links("", 0) == link("1", "first") + ", " + link("1", "last"));
    BOOST_TEST(links("", 20) == link("1", "first") + ", " + link("1", "last"));
    BOOST_TEST(links("", 21) == link("1", "first") + ", " + link("2", "next") + ", " + link("2", "last"));
    BOOST_TEST(links("page=2", 60) ==
               link("1", "first") + ", " + link("1", "prev") + ", " + link("3", "next") + ", " + link("3", "last"));
    BOOST_TEST(links("page=3", 60) == link("1", "first") + ", " + link("2", "prev") + ", " + link("3", "last"));
    // Past the end the page before is the last that there is.
    BOOST_TEST(links("page=2147483647", 60) == link("1", "first") + ", " + link("3", "prev") + ", " + link("3", "last"));
    BOOST_TEST(links("page=9", 0) == link("1", "first") + ", " + link("1", "prev") + ", " + link("1", "last"));
}

BOOST_AUTO_TEST_CASE(links_keep_the_parameters_that_were_used) {
    const auto text = links("q=%22VW+%3E%22&page=1&limit=5&city=K%C3%B6ln&city=Ulm&x&x=;;", 6);
    const std::string kept = "<https://h/api/v1/jobs?q=%22VW%20%3E%22&limit=5&city=K%C3%B6ln&city=Ulm&page=";
    BOOST_TEST(text == kept + "1>; rel=\"first\", " + kept + "2>; rel=\"next\", " + kept + "2>; rel=\"last\"");
    // Nothing that a client sends can end the header, or the link in it.
    const auto hostile = links("q=%0D%0AX:%201%3E%3B%22", 0);
    BOOST_TEST(hostile.find("q=%0D%0AX%3A%201%3E%3B%22&") != std::string::npos);
    BOOST_TEST(hostile.find_first_of("\r\n") == std::string::npos);
}

// nginx takes headers of 64 KiB from a worker, and answers 502 to more.
BOOST_AUTO_TEST_CASE(links_fit_into_the_header) {
    BOOST_TEST(links("page=2&q=" + std::string(13'900, 'a'), 60).size() < 60'000u);
    BOOST_CHECK_THROW(links("page=2&q=" + std::string(14'000, 'a'), 60), ApiError);
    BOOST_CHECK_THROW(links("city=" + std::string(5'000, ';'), 60), ApiError);
    BOOST_TEST(links("x=" + std::string(60'000, ';'), 0) == links("", 0));
}

BOOST_AUTO_TEST_SUITE_END()
