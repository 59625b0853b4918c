#include "fields/field.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>

#include "fields/codes.h"

using namespace tradepost::fields;

namespace {

bool is_url(Kind kind, std::string_view text) {
    return !fault(rules::of(kind), text);
}

bool is_email(std::string_view text) {
    return !fault(rules::of(Kind::email), text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(domain_field)

BOOST_AUTO_TEST_CASE(texts_say_what_is_wrong) {
    BOOST_TEST(fault(rules::of(Kind::web_url), "x").value() == "must be an http or https URL");
    BOOST_TEST(fault(rules::of(Kind::https_url), "x").value() == "must be an https URL");
    BOOST_TEST(fault(rules::of(Kind::email), "x").value() == "must be an email address");
    BOOST_TEST(fault(rules::of(Kind::country), "x").value() == "must be an ISO 3166-1 alpha-2 code");
    BOOST_TEST(fault(rules::of(Kind::currency), "x").value() == "must be an ISO 4217 code");
    BOOST_TEST(fault(rules::of(Kind::timezone), "x").value() == "must be an IANA time zone");
    BOOST_TEST(fault(rules::time(), "x").value() == "must be an RFC 3339 time");
    for (const auto kind : {Kind::text, Kind::web_url, Kind::email, Kind::country, Kind::timezone, Kind::time, Kind::text_list})
        BOOST_TEST(fault(rules::of(kind), std::string_view("a\0b", 3)).value() == "must not contain NUL");
}

BOOST_AUTO_TEST_CASE(urls_that_are_taken) {
    for (const char* text :
         {"https://a", "https://a/", "HTTPS://A.example", "https://a.example:8443/x?y=z#f", "https://a?x", "https://a#x",
          "https://127.0.0.1/", "https://a:1", "https://a:65535/", "https://xn--bcher-kva.example/",
          "https://b\xC3\xBC"
          "cher.example/stra\xC3\x9F"
          "e",
          "https://a/@b:c", "https://a/%20[]{}|", "https://a.b-c.d/", "https://a.example./"}) {
        BOOST_TEST(is_url(Kind::https_url, text), text);
        BOOST_TEST(is_url(Kind::web_url, text), text);
    }
    BOOST_TEST(is_url(Kind::web_url, "http://a.example:80/"));
    BOOST_TEST(!is_url(Kind::https_url, "http://a.example:80/"));
}

BOOST_AUTO_TEST_CASE(urls_that_are_not) {
    for (const std::string_view text : {"",
                                        "https",
                                        "https:",
                                        "https:/a",
                                        "https://",
                                        "https:///x",
                                        "https://?x",
                                        "https://:443/",
                                        "//a/",
                                        "/a",
                                        "a.example",
                                        "ftp://a",
                                        "javascript:alert(1)",
                                        "javascript://a/%0Aalert(1)",
                                        "data:text/html,x",
                                        "mailto:a@b",
                                        " https://a",
                                        "https://a ",
                                        "https://a b/",
                                        "https://a/\n",
                                        "https://a/\tx",
                                        "https://a/\x7f",
                                        "https://a/\"onclick=",
                                        "https://a/<script>",
                                        "https://a\\b",
                                        "https://user@a/",
                                        "https://user:pw@a/",
                                        "https://a@b:80/",
                                        "https://a:",
                                        "https://a:x/",
                                        "https://a:-1/",
                                        "https://a:65536/",
                                        "https://a:123456/",
                                        "https://.a/",
                                        "https://-a/",
                                        "https://a..b/",
                                        "https://a_b/",
                                        "https://a,b/",
                                        "https://a%2Fb/",
                                        "https://./",
                                        "https://..",
                                        "https:// /",
                                        "httpss://a",
                                        "xhttps://a",
                                        "https://a.-b/",
                                        "https://a-.b/"}) {
        BOOST_TEST(!is_url(Kind::https_url, text), text);
        BOOST_TEST(!is_url(Kind::web_url, text), text);
    }
    BOOST_TEST(!is_url(Kind::web_url, "https://" + std::string(254, 'a')));
    BOOST_TEST(is_url(Kind::web_url, "https://" + std::string(63, 'a') + ".example"));
    BOOST_TEST(!is_url(Kind::web_url, "https://" + std::string(64, 'a') + ".example"));
}

BOOST_AUTO_TEST_CASE(email_addresses) {
    for (const char* text : {"a@b", "a@b.example", "first.last+tag@sub.b.example", "O'Brien@b.example", "A@B.EXAMPLE",
                             "j\xC3\xBCrgen@b\xC3\xBC"
                             "cher.example",
                             "a@127.0.0.1", "_@b.example", "a/b=c@d"})
        BOOST_TEST(is_email(text), text);
    for (const char* text :
         {"",        "a",       "@",    "a@",   "@b",   "a@b@c",  "a b@c", "a@b c",  "a\t@b", "<a@b>",         "A <a@b>",
          "a@b,c@d", "\"a\"@b", "a@.b", "a@-b", "a@b.", "a@b..c", "a@b_c", "a@b:25", "a@b/c", "a@[127.0.0.1]", "a\x7f@b"})
        BOOST_TEST(!is_email(text), text);
    BOOST_TEST(is_email(std::string(252, 'a') + "@b"));
    BOOST_TEST(!is_email(std::string(253, 'a') + "@b"));
}

BOOST_AUTO_TEST_CASE(countries) {
    for (const char* code : {"GB", "DE", "FR", "US", "IE", "AX", "BQ", "SS", "ZW", "AD"}) BOOST_TEST(is_country(code), code);
    for (const char* code : {"", "G", "GBR", "gb", "Gb", "UK", "EU", "XK", "AN", "CS", "SU", "ZZ", "AA", "QM", "G ", "826"})
        BOOST_TEST(!is_country(code), code);
    // ISO 3166-1 has assigned 249 codes; a list out of its order would lose some.
    int count = 0;
    for (char a = 'A'; a <= 'Z'; ++a)
        for (char b = 'A'; b <= 'Z'; ++b) count += is_country(std::string{a, b});
    BOOST_TEST(count == 249);
}

BOOST_AUTO_TEST_CASE(currencies) {
    for (const char* code : {"GBP", "EUR", "USD", "CHF", "JPY", "KWD", "SLE", "VED", "ZWG", "XCG", "AED"})
        BOOST_TEST(is_currency(code), code);
    for (const char* code :
         {"", "GB", "GBPX", "gbp", "Gbp", "DEM", "FRF", "HRK", "ZWL", "SLL", "CUC", "BTC", "ABC", "ZZZ", "826", "\xC2\xA3"})
        BOOST_TEST(!is_currency(code), code);
    int count = 0;
    for (char a = 'A'; a <= 'Z'; ++a)
        for (char b = 'A'; b <= 'Z'; ++b)
            for (char c = 'A'; c <= 'Z'; ++c) count += is_currency(std::string{a, b, c});
    BOOST_TEST(count == 179);
}

// ISO 4217, "List one". Those without minor units, such as XAU, count as if they had two digits.
BOOST_AUTO_TEST_CASE(digits_of_currencies) {
    const std::map<int, std::string> others{{0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"},
                                            {3, "BHD IQD JOD KWD LYD OMR TND"},
                                            {4, "CLF UYW"}};
    const auto digits = [&](const std::string& code) {
        for (const auto& [count, codes] : others)
            if (codes.find(code) != std::string::npos) return count;
        return 2;
    };
    for (char a = 'A'; a <= 'Z'; ++a)
        for (char b = 'A'; b <= 'Z'; ++b)
            for (char c = 'A'; c <= 'Z'; ++c)
                if (const std::string code{a, b, c}; is_currency(code)) BOOST_TEST(minor_digits(code) == digits(code), code);
    BOOST_TEST(minor_digits("") == 2);
}

BOOST_AUTO_TEST_CASE(time_zones) {
    for (const char* name : {"Europe/London", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+1", "Etc/GMT-14", "UTC",
                             "GMT", "US/Eastern", "America/Port-au-Prince"})
        BOOST_TEST(is_timezone(name), name);
    for (const char* name : {"",
                             "Europe",
                             "Europe/",
                             "Europe/London/",
                             "/Europe/London",
                             "Europe//London",
                             "europe/london",
                             "Europe/Atlantis",
                             "Europe/../Europe/London",
                             "../../etc/passwd",
                             "/etc/passwd",
                             "tzdata.zi",
                             "zone.tab",
                             "posixrules",
                             "posix/Europe/London",
                             "right/Europe/London",
                             "localtime",
                             "+01:00",
                             "Z",
                             "Europe/London ",
                             "Europe/London\n",
                             "Europe London",
                             "America"})
        BOOST_TEST(!is_timezone(name), name);
    BOOST_TEST(!is_timezone(std::string_view("Europe/London\0", 14)));
    BOOST_TEST(!is_timezone("E" + std::string(5000, 'u')));
}

BOOST_AUTO_TEST_SUITE_END()
