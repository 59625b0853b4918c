#include "core/hex.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost::core;

BOOST_AUTO_TEST_SUITE(core_hex)

BOOST_AUTO_TEST_CASE(every_byte_there_and_back) {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += char(i);
    const auto text = to_hex(bytes);
    BOOST_TEST(text.substr(0, 8) == "00010203");
    BOOST_TEST(text.substr(504) == "fcfdfeff");
    BOOST_TEST((from_hex(text) == bytes));
    BOOST_TEST((from_hex("DeadBEEF") == "\xde\xad\xbe\xef"));
    BOOST_TEST((from_hex("") == ""));
}

BOOST_AUTO_TEST_CASE(other_text_is_refused) {
    for (const std::string text : {"0", "abc", "0g", "g0", "0x", "/0", ":0", "@0", "G0", "`0", " 0", "0 ", "-1", "+1"})
        BOOST_TEST_CONTEXT(text) BOOST_TEST(!from_hex(text));
    BOOST_TEST(!from_hex(std::string(2, '\0')));
}

BOOST_AUTO_TEST_CASE(the_form_that_to_hex_writes) {
    BOOST_TEST(is_hex_of("00ff", 2));
    BOOST_TEST(is_hex_of("", 0));
    for (const std::string text : {"00fF", "00f", "00ff0", "00fg", ""}) BOOST_TEST_CONTEXT(text) BOOST_TEST(!is_hex_of(text, 2));
}

BOOST_AUTO_TEST_SUITE_END()
