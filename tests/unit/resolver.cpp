// Resolution of names within a time limit. The limit itself is tested with a silent DNS server, by the suite `webhooks`.
#define BOOST_TEST_DYN_LINK
#include "net/resolver.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <memory>

#include "net/handle.h"

using namespace tradepost;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(resolver)

BOOST_AUTO_TEST_CASE(this_hosts_name_is_found_without_dns) {
    const auto found = net::resolve("localhost", std::chrono::steady_clock::now() + 30s);
    BOOST_TEST(!found.timed_out);
    BOOST_TEST(!found.addresses.empty());
    BOOST_TEST(std::all_of(found.addresses.begin(), found.addresses.end(),
                           [](const auto& each) { return each == "127.0.0.1" || each == "::1"; }));
}

BOOST_AUTO_TEST_CASE(a_deadline_that_has_passed_is_a_timeout) {
    const auto found = net::resolve("receiver.example", std::chrono::steady_clock::now());
    BOOST_TEST(found.timed_out);
    BOOST_TEST(found.addresses.empty());
}

BOOST_AUTO_TEST_CASE(internationalised_names_are_converted) {
    const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle(curl_easy_init(), curl_easy_cleanup);
    BOOST_TEST(net::perform(handle.get(), "http://b\u00fccher.invalid/", 0ms) == CURLE_OPERATION_TIMEDOUT);
    const char* url = nullptr;
    curl_easy_getinfo(handle.get(), CURLINFO_EFFECTIVE_URL, &url);
    BOOST_TEST(url == std::string("http://xn--bcher-kva.invalid/"));
    BOOST_TEST(net::perform(handle.get(), "http://a b/", 0ms) == CURLE_URL_MALFORMAT);
}

BOOST_AUTO_TEST_CASE(addresses_take_no_resolver) {
    const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle(curl_easy_init(), curl_easy_cleanup);
    // Nothing listens on this port.
    for (const auto* url : {"http://127.0.0.1:9/", "http://127.1:9/", "http://2130706433:9/", "http://localhost:9/"})
        BOOST_TEST(net::perform(handle.get(), url, 30s) == CURLE_COULDNT_CONNECT);
}

BOOST_AUTO_TEST_SUITE_END()
