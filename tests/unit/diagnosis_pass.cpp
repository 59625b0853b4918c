// The right to ask a worker what reaches it, and the code that signs it.
#include "identity/diagnosis_pass.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "core/crypto.h"

using namespace tradepost;
using namespace tradepost::identity;

namespace {

const core::Time now = *core::parse_rfc3339("2026-03-01T12:00:00Z");
const std::string key(32, 'k');

}  // namespace

BOOST_AUTO_TEST_SUITE(diagnosis_pass)

// RFC 4231, test cases 1, 2 and 6.
BOOST_AUTO_TEST_CASE(hmac_vectors) {
    const auto hex = [](const std::string& a, const std::string& b) { return core::to_hex(core::hmac_sha256(a, b)); };
    BOOST_TEST(hex(std::string(20, '\x0b'), "Hi There") == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    BOOST_TEST(hex("Jefe", "what do ya want for nothing?") == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    BOOST_TEST(hex(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First") ==
               "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    BOOST_TEST(core::equal_constant_time("", ""));
    BOOST_TEST(core::equal_constant_time("ab", "ab"));
    BOOST_TEST(!core::equal_constant_time("ab", "ac"));
    BOOST_TEST(!core::equal_constant_time("ab", "abc"));
}

BOOST_AUTO_TEST_CASE(it_opens_once_made) {
    const auto pass = make_pass(key, now);
    BOOST_TEST(pass.size() == 75u);
    BOOST_TEST(has_pass_form(pass, now));
    BOOST_TEST(verify_pass(key, pass));
    BOOST_TEST(make_pass(key, now) != pass);
}

BOOST_AUTO_TEST_CASE(it_lives_for_a_minute) {
    using namespace std::chrono_literals;
    const auto pass = make_pass(key, now);
    for (const auto later : {-59s, 0s, 59s}) BOOST_TEST(has_pass_form(pass, now + later));
    for (const auto later : {-3600s, -60s, 60s, 3600s}) BOOST_TEST(!has_pass_form(pass, now + later));
    BOOST_TEST(!has_pass_form(make_pass(key, core::Time(std::chrono::milliseconds(-5))), now));
}

BOOST_AUTO_TEST_CASE(nothing_else_opens) {
    const auto pass = make_pass(key, now);
    BOOST_TEST(!verify_pass(std::string(32, 'l'), pass));
    for (std::size_t at = 0; at < pass.size(); ++at) {
        auto other = pass;
        other[at] = other[at] == 'A' ? 'B' : 'A';
        BOOST_TEST(!verify_pass(key, other), at);
    }
    for (const auto& other : {std::string(), pass.substr(1), pass + "A", std::string(75, '-'), std::string(75, '=')}) {
        BOOST_TEST(!verify_pass(key, other), other);
        BOOST_TEST((!has_pass_form(other, now) || other == pass), other);
    }
}

BOOST_AUTO_TEST_SUITE_END()
