#include "identity/sessions/session_cookie.h"

#include <boost/test/unit_test.hpp>

#include "core/crypto.h"

using namespace tradepost::identity;

namespace {

const std::string id(64, 'a');

std::string found(std::optional<std::string_view> cookie) {
    return session_cookie(cookie).value_or("(none)");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cookies_of_sessions)

BOOST_AUTO_TEST_CASE(the_cookie_is_found_among_others) {
    for (const auto& cookie : {"__Host-session=" + id, "a=b; __Host-session=" + id, "__Host-session=" + id + "; a=b",
                               "a=b;__Host-session=" + id + ";c", "  a ;\t__Host-session=" + id + "  ;",
                               "x__Host-session=1; __Host-session=" + id, "; ;; __Host-session=" + id})
        BOOST_TEST(found(cookie) == id, cookie);
}

BOOST_AUTO_TEST_CASE(what_is_not_exactly_such_a_cookie_is_none) {
    BOOST_TEST(found({}) == "(none)");
    const std::string name = "__Host-session=";
    for (const auto& cookie : {std::string(), std::string(";"), std::string("__Host-session"), name, name + id.substr(1),
                               name + id + "a", name + std::string(64, 'A'), name + std::string(64, 'g'), name + "\"" + id + "\"",
                               "__host-session=" + id, "session=" + id, "__Host-session =" + id, name + " " + id,
                               name + id.substr(1) + std::string(1, '\0'), "a=" + name + id})
        BOOST_TEST(found(cookie) == "(none)", cookie);
}

BOOST_AUTO_TEST_CASE(of_two_none_counts) {
    const std::string one = "__Host-session=" + id, other = "__Host-session=" + std::string(64, 'b');
    BOOST_TEST(found(one + "; " + other) == "(none)");
    BOOST_TEST(found(one + "; " + one) == "(none)");
    BOOST_TEST(found("__Host-session=; " + one) == "(none)");
}

BOOST_AUTO_TEST_CASE(it_is_given_and_taken_with_the_same_attributes) {
    BOOST_TEST(set_session_cookie(id) == "__Host-session=" + id + "; Path=/; Secure; HttpOnly; SameSite=Strict");
    BOOST_TEST(clear_session_cookie() == "__Host-session=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0");
}

BOOST_AUTO_TEST_CASE(a_csrf_token_matches_only_whole) {
    const std::string bytes = tradepost::core::sha256("x"), hex = tradepost::core::to_hex(bytes);
    BOOST_TEST(csrf_token_matches(hex, bytes));
    BOOST_TEST(!csrf_token_matches({}, bytes));
    for (const auto& wrong :
         {std::string(), hex.substr(1), hex.substr(0, 63), hex + "0", " " + hex, hex + ", " + hex, bytes, std::string(64, '0')})
        BOOST_TEST(!csrf_token_matches(wrong, bytes), wrong);
    for (std::size_t at = 0; at < hex.size(); ++at) {
        auto wrong = hex;
        wrong[at] = wrong[at] == '0' ? '1' : '0';
        BOOST_TEST(!csrf_token_matches(wrong, bytes), wrong);
    }
}

BOOST_AUTO_TEST_SUITE_END()
