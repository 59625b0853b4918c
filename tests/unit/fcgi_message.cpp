#include "fcgi/message.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "support/fastcgi_exchange.h"

using namespace tradepost;
using test::begin_request;
using test::body;
using test::FastcgiExchange;
using test::params;
using test::record;
using test::RecordType;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs with(Pairs more) {
    Pairs all{{"REQUEST_METHOD", "POST"}, {"REQUEST_URI", "/api/v1/auth?x=%20"}, {"REMOTE_ADDR", "192.0.2.1"}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

// The request that these bytes make; empty when it did not arrive whole.
std::optional<http::Request> read(const std::string& bytes) {
    FastcgiExchange exchange;
    if (!exchange.accept(bytes)) return {};
    return fcgi::read_request(exchange.request());
}

std::optional<http::Request> read_body(const std::string& announced, const std::string& streams) {
    return read(begin_request() + params(with({{"CONTENT_LENGTH", announced}})) + streams);
}

std::string header(const http::Request& request, std::string_view name) {
    return std::string(request.header(name).value_or("(none)"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fastcgi_message)

BOOST_AUTO_TEST_CASE(a_request_without_a_body) {
    const auto r = read(begin_request() + params(with({})) + body(""));
    BOOST_REQUIRE(r);
    BOOST_TEST(r->method == "POST");
    BOOST_TEST(r->target == "/api/v1/auth?x=%20");
    BOOST_TEST(r->client_address == "192.0.2.1");
    BOOST_TEST(r->body == "");
    BOOST_TEST(!r->body_too_large);
    BOOST_TEST(r->headers.empty());
    BOOST_TEST(read_body("", body(""))->body == "");
    BOOST_TEST(read_body("0", body(""))->body == "");
}

BOOST_AUTO_TEST_CASE(when_it_was_queued) {
    const auto queued_at = [](const std::string& value) {
        return read(begin_request() + params(with({{"QUEUED_AT", value}})) + body(""))->queued_at;
    };
    BOOST_TEST((queued_at("1800000000.007") == core::Time(core::milliseconds(1'800'000'000'007))));
    for (const auto* value : {"", "1800000000", "1800000000.", "1800000000.07", "1800000000.0007", "1800000000.-07",
                              "18000000x0.007", "1800000000.0x7", ".007", "9999999999999.007", " 1800000000.007", "$msec"})
        BOOST_TEST(!queued_at(value), value);
    BOOST_TEST(!read(begin_request() + params(with({{"HTTP_QUEUED_AT", "1800000000.007"}})) + body(""))->queued_at);
}

BOOST_AUTO_TEST_CASE(a_whole_body) {
    BOOST_TEST(read_body("5", body("hello"))->body == "hello");
    BOOST_TEST(read_body("5", body(std::string("a\0\xFF\r\n", 5)))->body == std::string("a\0\xFF\r\n", 5));
    // In many records, of which libfcgi sees some only in part.
    std::string pieces, whole;
    for (int i = 0; i < 3000; ++i) {
        const std::string piece(std::size_t(1 + i % 97), char('a' + i % 26));
        pieces += record(RecordType::stdin_stream, piece);
        whole += piece;
    }
    BOOST_TEST((read_body(std::to_string(whole.size()), pieces + record(RecordType::stdin_stream, ""))->body == whole));
}

BOOST_AUTO_TEST_CASE(the_longest_body_is_whole_and_one_byte_more_is_not_read) {
    std::string bytes(fcgi::max_body, 'x');
    for (std::size_t i = 0; i < bytes.size(); i += 4099) bytes[i] = char(i);
    const auto r = read_body(std::to_string(bytes.size()), body(bytes));
    BOOST_REQUIRE(r);
    BOOST_TEST((r->body == bytes));
    BOOST_TEST(!r->body_too_large);
    const auto large = read_body(std::to_string(bytes.size() + 1), body(bytes + "x"));
    BOOST_REQUIRE(large);
    BOOST_TEST(large->body_too_large);
    BOOST_TEST(large->body == "");
    BOOST_TEST(large->method == "POST");
    BOOST_TEST(read_body("18446744073709551615", body("x"))->body_too_large);
}

BOOST_AUTO_TEST_CASE(a_body_that_ends_early_is_no_request) {
    BOOST_TEST(!read_body("5", body("hell")));
    BOOST_TEST(!read_body("5", body("")));
    BOOST_TEST(!read_body("100000", body(std::string(99999, 'x'))));
    // The connection ends in the middle of a record, between records, in a header.
    const auto five = record(RecordType::stdin_stream, "hello");
    BOOST_TEST(!read_body("5", five.substr(0, five.size() - 1)));
    BOOST_TEST(!read_body("10", five));
    BOOST_TEST(!read_body("10", five + five.substr(0, 4)));
    BOOST_TEST(!read_body("5", ""));
}

BOOST_AUTO_TEST_CASE(an_aborted_body_is_no_request) {
    const auto five = record(RecordType::stdin_stream, "hello"), abort = record(RecordType::abort_request, "");
    BOOST_TEST(!read_body("5", abort));
    BOOST_TEST(!read_body("10", five + abort));
    BOOST_TEST(!read_body("10", five + abort + five));
    BOOST_TEST(!read_body("6", five + abort + body("!")));
}

BOOST_AUTO_TEST_CASE(more_than_was_announced_is_left_out) {
    BOOST_TEST(read_body("5", body("hello, world"))->body == "hello");
}

BOOST_AUTO_TEST_CASE(a_length_that_is_no_number_is_no_request) {
    for (const char* announced :
         {"-1", "+5", "5 ", " 5", "0x5", "5,5", "five", "5.0", "18446744073709551616", "99999999999999999999999"})
        BOOST_TEST(!read_body(announced, body("hello")), announced);
}

BOOST_AUTO_TEST_CASE(headers_have_their_names_in_lower_case) {
    const auto r = read(begin_request() +
                        params(with({{"HTTP_IF_NONE_MATCH", "\"a\""},
                                     {"HTTP_X_REQUEST_ID", "id-1"},
                                     {"HTTP_AUTHORIZATION", "Bearer x=y"},
                                     {"HTTP_EMPTY", ""},
                                     {"CONTENT_TYPE", "application/json"},
                                     {"SERVER_NAME", "h"},
                                     {"HTTPS", "on"}})) +
                        body(""));
    BOOST_REQUIRE(r);
    BOOST_TEST(header(*r, "if-none-match") == "\"a\"");
    BOOST_TEST(header(*r, "x-request-id") == "id-1");
    BOOST_TEST(header(*r, "authorization") == "Bearer x=y");
    BOOST_TEST(header(*r, "empty") == "");
    BOOST_TEST(header(*r, "content-type") == "application/json");
    BOOST_TEST(header(*r, "server-name") == "(none)");
    BOOST_TEST(r->headers.size() == 5u);
}

// RFC 9110, section 5.3: fields of one name are one list; RFC 6265, section 5.4: cookies are joined by semicolons.
BOOST_AUTO_TEST_CASE(headers_of_one_name_are_one_list) {
    const auto r = read(begin_request() +
                        params(with({{"HTTP_IF_NONE_MATCH", "\"a\""},
                                     {"HTTP_COOKIE", "a=1"},
                                     {"HTTP_IF_NONE_MATCH", "\"b\", \"c\""},
                                     {"HTTP_AUTHORIZATION", "Bearer x"},
                                     {"HTTP_AUTHORIZATION", "Bearer y"},
                                     {"HTTP_COOKIE", "b=2"}})) +
                        body(""));
    BOOST_REQUIRE(r);
    BOOST_TEST(header(*r, "if-none-match") == "\"a\", \"b\", \"c\"");
    BOOST_TEST(header(*r, "authorization") == "Bearer x, Bearer y");
    BOOST_TEST(header(*r, "cookie") == "a=1; b=2");
    BOOST_TEST(r->headers.size() == 3u);
}

// Web servers pass both forms of this one; it is a single header all the same.
BOOST_AUTO_TEST_CASE(the_media_type_is_told_once) {
    const auto r = read(
        begin_request() +
        params(with({{"HTTP_CONTENT_TYPE", "text/plain"}, {"CONTENT_TYPE", "application/json"}, {"HTTP_CONTENT_LENGTH", "7"}})) +
        body(""));
    BOOST_REQUIRE(r);
    BOOST_TEST(header(*r, "content-type") == "application/json");
    BOOST_TEST(std::count_if(r->headers.begin(), r->headers.end(), [](const auto& h) { return h.first == "content-type"; }) == 1);
}

BOOST_AUTO_TEST_CASE(long_and_many_headers) {
    Pairs many;
    for (int i = 0; i < 500; ++i) many.emplace_back("HTTP_X_" + std::to_string(i), std::string(std::size_t(i), 'v'));
    many.emplace_back("HTTP_LONG", std::string(60000, 'l'));
    const auto r = read(begin_request() + params(with(many)) + body(""));
    BOOST_REQUIRE(r);
    BOOST_TEST(r->headers.size() == 501u);
    BOOST_TEST(header(*r, "x-499").size() == 499u);
    BOOST_TEST(header(*r, "long").size() == 60000u);
}

BOOST_AUTO_TEST_CASE(an_empty_exchange_is_a_request_without_a_method) {
    const auto r = read(begin_request() + params({}) + body(""));
    BOOST_REQUIRE(r);
    BOOST_TEST(r->method == "");
    BOOST_TEST(r->target == "");
}

// RFC 3875, section 6.
BOOST_AUTO_TEST_CASE(a_response_is_status_headers_and_body) {
    FastcgiExchange exchange;
    BOOST_REQUIRE(exchange.accept(begin_request() + params(with({})) + body("")));
    BOOST_REQUIRE(fcgi::read_request(exchange.request()));
    http::Response response;
    response.status = 404;
    response.set("Content-Type", "application/json; charset=utf-8");
    response.set("X-Request-Id", "id-1");
    response.body = std::string("{\"error\":\"Not found\"}\0", 22);
    fcgi::write_response(exchange.request(), response);
    bool whole = false;
    const auto out = exchange.finish(&whole);
    BOOST_TEST(
        out ==
        std::string("Status: 404 Not Found\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: id-1\r\n\r\n") +
            response.body);
    BOOST_TEST(whole);
}

BOOST_AUTO_TEST_CASE(a_long_response_is_whole) {
    FastcgiExchange exchange;
    BOOST_REQUIRE(exchange.accept(begin_request() + params(with({})) + body("")));
    http::Response response;
    response.body = std::string(5'000'000, 'r');
    fcgi::write_response(exchange.request(), response);
    BOOST_TEST((exchange.finish() == "Status: 200 OK\r\n\r\n" + response.body));
}

BOOST_AUTO_TEST_SUITE_END()
