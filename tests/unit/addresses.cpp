// Which addresses may be reached when somebody else names them.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "net/address.h"
#include "net/client.h"

using namespace tradepost;

BOOST_AUTO_TEST_SUITE(addresses)

BOOST_AUTO_TEST_CASE(public_ones_are_of_one_host_in_the_internet) {
    for (const auto* text :
         {"1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
          "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.167.255.255", "198.17.255.255", "198.20.0.0", "223.255.255.255",
          "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2606:4700::1111", "2a00::1", "2002:101:101::1"})
        BOOST_TEST(net::is_public(net::parse_address(text).value()), text);
}

BOOST_AUTO_TEST_CASE(all_others_are_refused) {
    for (const auto* text : {"0.0.0.0",
                             "0.1.2.3",
                             "10.0.0.1",
                             "10.255.255.255",
                             "100.64.0.1",
                             "100.127.255.255",
                             "127.0.0.1",
                             "127.255.255.254",
                             "169.254.169.254",
                             "172.16.0.1",
                             "172.31.255.255",
                             "192.0.0.1",
                             "192.0.0.192",
                             "192.0.2.1",
                             "192.88.99.1",
                             "192.168.0.1",
                             "198.18.0.1",
                             "198.19.255.255",
                             "198.51.100.7",
                             "203.0.113.9",
                             "224.0.0.1",
                             "239.255.255.255",
                             "240.0.0.1",
                             "255.255.255.255",
                             "::",
                             "::1",
                             "::127.0.0.1",
                             "::ffff:127.0.0.1",
                             "::ffff:10.0.0.1",
                             "::ffff:169.254.169.254",
                             "::ffff:0:127.0.0.1",
                             "64:ff9b::10.0.0.1",
                             "64:ff9b::127.0.0.1",
                             "64:ff9b:1::1.1.1.1",
                             "100::1",
                             "2001::1",
                             "2001:0:1:1:1:1:1:1",
                             "2001:10::1",
                             "2001:db8::1",
                             "2002:7f00:1::1",
                             "2002:a00:1::1",
                             "3fff::1",
                             "4000::1",
                             "5f00::1",
                             "fc00::1",
                             "fd00:ec2::254",
                             "fe80::1",
                             "fec0::1",
                             "ff02::1",
                             "ffff::1"})
        BOOST_TEST(!net::is_public(net::parse_address(text).value()), text);
}

BOOST_AUTO_TEST_CASE(only_the_usual_forms_are_addresses) {
    for (const auto* text :
         {"", "1", "1.1", "127.1", "0x7f.0.0.1", "0177.0.0.1", "1.1.1.1 ", "1.1.1.256", "fe80::1%eth0", "[::1]", "localhost"})
        BOOST_TEST(!net::parse_address(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(networks_contain_by_their_bits) {
    const net::Networks networks({"10.0.0.0/15", "192.0.2.7", "fd00:1::/33"});
    for (const auto& [text, inside] : {std::pair("10.0.255.255", true),
                                       {"10.1.0.0", true},
                                       {"10.0.0.0", true},
                                       {"10.2.0.0", false},
                                       {"192.0.2.7", true},
                                       {"192.0.2.8", false},
                                       {"::ffff:10.1.2.3", true},
                                       {"fd00:1:7fff::1", true},
                                       {"fd00:1:8000::1", false},
                                       {"::1", false}})
        BOOST_TEST(networks.contain(net::parse_address(text).value()) == inside, text);
    BOOST_TEST(net::Networks({"0.0.0.0/0"}).contain(net::parse_address("127.0.0.1").value()));
    BOOST_TEST(!net::Networks({"0.0.0.0/0"}).contain(net::parse_address("::1").value()));
    for (const auto* text : {"10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8x", "::/129", "any"})
        BOOST_CHECK_THROW(net::Networks({text}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_refused_address_is_not_connected_to) {
    for (const auto* url : {"https://127.0.0.1:1/", "https://localhost:1/", "https://[::1]:1/", "https://2130706433:1/",
                            "https://127.1:1/", "https://0:1/", "https://[::ffff:127.0.0.1]:1/", "http://127.0.0.1:1/"}) {
        const auto answer = net::perform({}, {.url = url});
        BOOST_TEST(answer.refused, url);
        BOOST_TEST(answer.failure != "", url);
    }
    const auto answer = net::perform({.allowed = net::Networks({"127.0.0.0/8"}), .ca_file = {}}, {.url = "http://127.0.0.1:1/"});
    BOOST_TEST(!answer.refused);
    BOOST_TEST(answer.failure == "the connection was refused");
    for (const auto* url : {"file:///etc/passwd", "gopher://127.0.0.1/", "ftp://127.0.0.1/"})
        BOOST_TEST(net::perform({.allowed = net::Networks({"0.0.0.0/0"}), .ca_file = {}}, {.url = url}).failure != "", url);
}

// libcurl takes localhost for 127.0.0.1 and ::1, in an order of its own.
BOOST_AUTO_TEST_CASE(a_host_that_is_down_was_not_refused_for_another_address_of_it) {
    const auto answer_of = [](const std::vector<std::string>& allowed) {
        return net::perform({.allowed = net::Networks(allowed), .ca_file = {}}, {.url = "https://localhost:1/"});
    };
    auto answer = answer_of({"127.0.0.1"});
    BOOST_TEST(!answer.refused);
    BOOST_TEST(answer.failure == "the connection was refused");
    answer = answer_of({});
    BOOST_TEST(answer.refused);
    BOOST_TEST(answer.failure == "the address is not a public one");
}

BOOST_AUTO_TEST_SUITE_END()
