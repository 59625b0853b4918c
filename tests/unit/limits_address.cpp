#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <numeric>

#include "limits/limiter.h"
#include "limits/siphash.h"

using namespace tradepost::limits;

BOOST_AUTO_TEST_SUITE(limits_keys)

BOOST_AUTO_TEST_CASE(ipv4_counts_whole_also_when_mapped) {
    BOOST_TEST(address_key("192.0.2.1") == "192.0.2.1");
    BOOST_TEST(address_key("::ffff:192.0.2.1") == "192.0.2.1");
    BOOST_TEST(address_key("::FFFF:c000:201") == "192.0.2.1");
    BOOST_TEST(address_key("192.0.2.2") != address_key("192.0.2.1"));
}

BOOST_AUTO_TEST_CASE(ipv6_counts_by_its_64_however_spelt) {
    const std::string key = address_key("2001:db8:0:1::1");
    BOOST_TEST(key == "2001:db8:0:1::/64");
    BOOST_TEST(address_key("2001:db8:0:1:ffff:ffff:ffff:ffff") == key);
    BOOST_TEST(address_key("2001:0DB8:0000:0001:0:0:0:2") == key);
    BOOST_TEST(address_key("2001:db8:0:1::192.0.2.1") == key);
    BOOST_TEST(address_key("2001:db8:0:1::1%eth0") == key);
    BOOST_TEST(address_key("2001:db8:0:2::1") != key);
}

BOOST_AUTO_TEST_CASE(what_is_no_address_is_its_own_key) {
    const std::string with_nul("192.0.2.1\0x", 11), mapped_with_nul("::1\0x", 5);
    for (const std::string& text :
         {std::string("unix:"), std::string(), std::string("192.0.2"), std::string("1::2::3"), with_nul, mapped_with_nul})
        BOOST_TEST(address_key(text) == text);
}

BOOST_AUTO_TEST_CASE(siphash_gives_the_paper_s_values) {
    std::string input(15, '\0');
    std::iota(input.begin(), input.end(), '\0');
    SipHash hash(0x0706050403020100, 0x0f0e0d0c0b0a0908);
    hash.add(input);
    BOOST_TEST(hash.finish() == 0xa129ca6149be45e5u);
    BOOST_TEST(SipHash(0x0706050403020100, 0x0f0e0d0c0b0a0908).finish() == 0x726fdb47dd0e0e31u);
}

BOOST_AUTO_TEST_SUITE_END()
