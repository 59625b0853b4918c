// One-time passwords: the codes of RFC 6238 and the steps in which they count.
#include "identity/sessions/totp.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost;
using identity::totp_step;

namespace {

const std::string secret = "12345678901234567890";

core::Time at(std::int64_t seconds) {
    return core::Time(std::chrono::seconds(seconds));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(totp)

// RFC 6238, appendix B, the last six of eight digits.
BOOST_AUTO_TEST_CASE(codes_are_those_of_the_standard) {
    for (const auto& [seconds, code] : {std::pair<std::int64_t, const char*>{59, "287082"},
                                        {1111111109, "081804"},
                                        {1111111111, "050471"},
                                        {1234567890, "005924"},
                                        {2000000000, "279037"},
                                        {20000000000, "353130"}})
        BOOST_TEST((totp_step(secret, code, 0, at(seconds)) == seconds / 30));
}

BOOST_AUTO_TEST_CASE(a_code_counts_one_step_before_and_after) {
    constexpr std::int64_t step = 1234567890 / 30, begin = step * 30;
    for (const auto seconds : {begin - 30, begin - 1, begin, begin + 29, begin + 59})
        BOOST_TEST((totp_step(secret, "005924", 0, at(seconds)) == step));
    for (const auto seconds : {begin - 31, begin + 60}) BOOST_TEST(!totp_step(secret, "005924", 0, at(seconds)));
}

BOOST_AUTO_TEST_CASE(a_step_that_was_used_does_not_count) {
    constexpr std::int64_t step = 1234567890 / 30;
    BOOST_TEST((totp_step(secret, "005924", step - 1, at(1234567890)) == step));
    BOOST_TEST(!totp_step(secret, "005924", step, at(1234567890)));
    BOOST_TEST(!totp_step(secret, "005924", step + 5, at(1234567890)));
}

BOOST_AUTO_TEST_CASE(what_is_no_code) {
    for (const char* code : {"", "5924", "05924", "0005924", "005925", " 005924", "00592४", "-05924"})
        BOOST_TEST(!totp_step(secret, code, 0, at(1234567890)));
    BOOST_TEST(!totp_step("another secret", "005924", 0, at(1234567890)));
}

BOOST_AUTO_TEST_CASE(secrets) {
    const auto one = identity::new_totp_secret(), other = identity::new_totp_secret();
    BOOST_TEST((one.size() == 20u && one != other));
    // RFC 4648, section 10, without padding.
    BOOST_TEST(identity::to_base32("fooba") == "MZXW6YTB");
    BOOST_TEST(identity::to_base32("foo") == "MZXW6");
    BOOST_TEST(identity::to_base32("") == "");
}

BOOST_AUTO_TEST_SUITE_END()
