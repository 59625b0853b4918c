#include "resources/dashboard/qr_code.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using tradepost::dashboard::app_uri;
using tradepost::dashboard::qr_code;

BOOST_AUTO_TEST_SUITE(qr_codes)

BOOST_AUTO_TEST_CASE(rows_form_a_square_with_three_finders) {
    const auto rows = qr_code("otpauth://totp/x:y?secret=MZXW6YTB&issuer=x");
    BOOST_REQUIRE((rows.size() >= 21 && rows.size() % 4 == 1));
    for (const auto& row : rows) BOOST_TEST(row.size() == rows.size());
    // ISO/IEC 18004, section 6.3.3.
    const auto last = rows.size() - 7;
    for (const auto& [x, y] : {std::pair<std::size_t, std::size_t>{0, 0}, {last, 0}, {0, last}}) {
        BOOST_TEST(rows[y].substr(x, 7) == "1111111");
        BOOST_TEST(rows[y + 1].substr(x, 7) == "1000001");
        BOOST_TEST(rows[y + 3].substr(x, 7) == "1011101");
        BOOST_TEST(rows[y + 6].substr(x, 7) == "1111111");
    }
}

BOOST_AUTO_TEST_CASE(a_label_has_one_colon) {
    static constexpr std::pair<std::string_view, std::string_view> issuers[] = {
        {"https://shop.example", "shop.example"},      {"https://shop.example/", "shop.example"},
        {"https://localhost:19443", "localhost"},      {"http://127.0.0.1:80", "127.0.0.1"},
        {"https://[2001:db8::1]:8443", "2001-db8--1"}, {"https://xn--bcher-kva.example", "xn--bcher-kva.example"},
    };
    for (const auto& [url, issuer] : issuers)
        BOOST_TEST(app_uri(url, "ada@example.com", "MZXW") ==
                   "otpauth://totp/" + std::string(issuer) + ":ada%40example.com?secret=MZXW&issuer=" + std::string(issuer));
    BOOST_TEST(app_uri("https://a", "\"x: +&\"@é.example", "M") ==
               "otpauth://totp/a:%22x-%20%2B%26%22%40%C3%A9.example?secret=M&issuer=a");
}

BOOST_AUTO_TEST_CASE(a_text_may_be_too_long) {
    BOOST_CHECK_THROW(qr_code(std::string(3000, 'x')), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
