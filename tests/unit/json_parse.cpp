#include "json/parse.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "support/refusal.h"

using namespace tradepost;
using namespace std::string_view_literals;

namespace {

// The value written again, or what it was refused with.
std::string read(std::string_view text) {
    std::string written;
    const auto refused = test::refusal([&] { written = json::parse(text).dump(); });
    return refused == "accepted" ? written : refused;
}

const std::string refused = "400 Invalid JSON body";

std::string repeat(std::string_view part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
}

struct Accepted {
    std::string_view text, value;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(json_parse)

BOOST_AUTO_TEST_CASE(what_is_json_is_read) {
    static constexpr Accepted table[] = {
        {"{}", "{}"},
        {"[]", "[]"},
        {"null", "null"},
        {"true", "true"},
        {"false", "false"},
        {"\"\"", "\"\""},
        {" \t\r\n{ \t\r\n} \t\r\n", "{}"},
        {"[ ]\n", "[]"},
        {"[1,2]", "[1,2]"},
        {"[1 , 2]", "[1,2]"},
        {"[[],{}]", "[[],{}]"},
        {"{\"a\":1}", "{\"a\":1}"},
        {"{\"a\" : 1 , \"b\" : 2}", "{\"a\":1,\"b\":2}"},
        {"{\"\":0}", "{\"\":0}"},
        {"{\"a\":{\"a\":{\"a\":1}}}", "{\"a\":{\"a\":{\"a\":1}}}"},
        {"[{\"a\":1},{\"a\":1}]", "[{\"a\":1},{\"a\":1}]"},
        {"{\"a\":1,\"A\":2}", "{\"A\":2,\"a\":1}"},
        {"{\"a\":[],\"b\":{},\"c\":null}", "{\"a\":[],\"b\":{},\"c\":null}"},
        {"0", "0"},
        {"-1", "-1"},
        {"10", "10"},
        {"1.5", "1.5"},
        {"-0.25", "-0.25"},
        {"1e2", "100"},
        {"1E+2", "100"},
        {"25e-2", "0.25"},
        {"0e0", "0"},
        {"9223372036854775807", "9223372036854775807"},
        {"18446744073709551615", "18446744073709551615"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"1850000.0", "1850000"},
        {"-1.85e6", "-1850000"},
        {"-0.0", "0"},
        {"0e99999999999999999999", "0"},
        {"1500e-2", "15"},
        {"1501e-2", "15.01"},
        {"9007199254740993.0", "9007199254740993"},
        {"9223372036854775807.000", "9223372036854775807"},
        {"0.9223372036854775807e19", "9223372036854775807"},
        {"-9223372036854775808.0", "-9223372036854775808"},
        {"9223372036854775808.0", "9.223372036854776e+18"},
        {"1.00000000000000000000000001", "1.0"},
        {"1e308", "1e+308"},
        {"1e-400", "0.0"},
        {"123456789012345678901234567890.0", "1.2345678901234568e+29"},
        {"\"a b\"", "\"a b\""},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\""},
        {"\"\\u0041\\u00e9\\u20AC\"", "\"A\xC3\xA9\xE2\x82\xAC\""},
        {"\"\\u0000\"", "\"\\u0000\""},
        {"\"\\ud83d\\ude00\"", "\"\xF0\x9F\x98\x80\""},
        {"\"\\uDBFF\\uDFFF\"", "\"\xF4\x8F\xBF\xBF\""},
        {"\"\\uFFFE\\uFFFF\"", "\"\xEF\xBF\xBE\xEF\xBF\xBF\""},
        {"\"\x7f\"", "\"\x7f\""},
        {"\"\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\"",
         "\"\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\""},
        {"\"\xEF\xBB\xBF\"", "\"\xEF\xBB\xBF\""},
        {"{\"\xC3\xA9\":1,\"e\xCC\x81\":2}", "{\"e\xCC\x81\":2,\"\xC3\xA9\":1}"},
        {"\"/* no comment */\"", "\"/* no comment */\""},
    };
    for (const auto& [text, value] : table) BOOST_TEST(read(text) == value, text);
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_refused) {
    // clang-format off
    static constexpr std::string_view table[] = {
        // nothing, or too much
        "", " ", "\n", "{}{}", "{} {}", "[]]", "{}}", "1 2", "null null", "{},", "[] x", "{}#", "{}//", "{}/**/", "\"a\"\"b\"", "tru", "truee", "TRUE", "nil", "None",
        "undefined", "NaN", "Infinity", "-Infinity", "nul\0", "\x1e{}",
        // structure
        "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1;2]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,\"a\":1}",
        "{\"a\" 1}", "{\"a\"::1}", "{\"a\":1 \"b\":2}", "{a:1}", "{'a':1}", "{1:1}", "{null:1}", "{[]:1}", "{\"a\"}", "{\"a\",1}", "[}", "{]", "[\"a\":1]", "(1)",
        "[1}", "{\"a\":1]", "[\v1]", "[\f1]", "[\xC2\xA0""1]", "[\xE2\x80\xA8""1]", "<a/>", "\\u007b\\u007d",
        // numbers
        "+1", "-", "--1", "01", "-01", "00", "1.", ".1", "-.1", "1.e1", "1e", "1e+", "1e1.5", "1e1e1", "0x10", "1_000", "1,000", "1a", "0b1", "- 1", "1/2", "\xEF\xBC\x91",
        // strings
        "\"", "\"a", "a\"", "'a'", "\"\\\"", "\"\\a\"", "\"\\x41\"", "\"\\0\"", "\"\\u\"", "\"\\u12\"", "\"\\u123\"", "\"\\u123g\"", "\"\\U00e9\"", "\"\n\"", "\"\t\"",
        "\"\x01\"", "\"\x1f\"", "\"a\\\n\"", "\"\\", "\"\\u{41}\"",
        // lone surrogates
        "\"\\ud800\"", "\"\\udfff\"", "\"\\ud800\\ud800\"", "\"\\ud800x\"", "\"\\ud800\\n\"", "\"\\ude00\\ud83d\"", "\"\\ud83d\\u0041\"", "{\"\\ud800\":1}",
        // invalid UTF-8
        "\"\x80\"", "\"\xC3\"", "\"\xC3(\"", "\"\xC0\x80\"", "\"\xC1\xBF\"", "\"\xE0\x9F\xBF\"", "\"\xED\xA0\x80\"", "\"\xED\xBF\xBF\"", "\"\xF0\x8F\xBF\xBF\"",
        "\"\xF4\x90\x80\x80\"", "\"\xF5\x80\x80\x80\"", "\"\xFF\"", "{\"\xFF\":1}", "\xFF", "[\xFF]", "\"a\xE2\x82\"",
        // byte order marks and other encodings
        "\xEF\xBB\xBF{}", "\xEF\xBB\xBF", "\xEF\xBB{}", " \xEF\xBB\xBF{}", "{}\xEF\xBB\xBF", "\xFE\xFF\0{\0}"sv, "\xFF\xFE{\0}\0"sv, "{\0}\0"sv,
        // NUL
        "\0"sv, "{}\0"sv, "\0{}"sv, "{\0}"sv, "\"\0\""sv, "\"a\0b\""sv, "[1,\0 2]"sv, "1\0"sv, "{}\0{}"sv, "[1]\0garbage"sv,
    };
    // clang-format on
    for (const auto text : table) BOOST_TEST(read(text) == refused, text);
}

BOOST_AUTO_TEST_CASE(duplicate_names_are_refused_at_every_level) {
    for (const char* text : {"{\"a\":1,\"a\":1}", "{\"a\":1,\"b\":2,\"a\":3}", "{\"x\":{\"a\":1,\"a\":2}}", "[{\"a\":1,\"a\":2}]",
                             "{\"a\":1,\"\\u0061\":2}", "{\"\":1,\"\":2}", "{\"a\":{},\"a\":{}}", "{\"a\":[],\"a\":1}",
                             "{\"a\":{\"b\":1},\"c\":1,\"a\":2}", "{\"\xC3\xA9\":1,\"\\u00E9\":2}", "{\"a\":null,\"a\":null}"})
        BOOST_TEST(read(text) == refused, text);
}

BOOST_AUTO_TEST_CASE(numbers_that_do_not_fit_are_refused) {
    for (const char* text :
         {"1e400", "-1e400", "1e309", "99999999999999999999", "18446744073709551616", "-9223372036854775809",
          "-99999999999999999999", "[1e99999999999999999999]", "{\"a\":1e400}", "1.8e308", "123456789012345678901234567890"})
        BOOST_TEST(read(text) == refused, text);
    BOOST_TEST(read(repeat("9", 100000)) == refused);
    BOOST_TEST(read("0." + repeat("1", 100000)) == "0.1111111111111111");
}

BOOST_AUTO_TEST_CASE(nesting_over_32_levels_is_refused) {
    BOOST_TEST(read(repeat("[", 32) + repeat("]", 32)) == repeat("[", 32) + repeat("]", 32));
    BOOST_TEST(read(repeat("[", 33) + repeat("]", 33)) == refused);
    BOOST_TEST(read(repeat("{\"a\":", 32) + "1" + repeat("}", 32)) == repeat("{\"a\":", 32) + "1" + repeat("}", 32));
    BOOST_TEST(read(repeat("{\"a\":", 33) + "1" + repeat("}", 33)) == refused);
    BOOST_TEST(read(repeat("[{\"a\":", 16) + "1" + repeat("}]", 16)) != refused);
    BOOST_TEST(read(repeat("[{\"a\":", 16) + "[]" + repeat("}]", 16)) == refused);
    // Levels that are closed again do not count.
    BOOST_TEST(read("[" + repeat("[[[]]],", 1000) + "1]") != refused);
    for (const char* bracket : {"[", "{\"a\":", "[{\"a\":", "{\"\":[", "]", "[[],"})
        BOOST_TEST(read(repeat(bracket, 100000)) == refused, bracket);
    BOOST_TEST(read(repeat("[", 100000) + repeat("]", 100000)) == refused);
}

BOOST_AUTO_TEST_CASE(values_stand_where_they_were) {
    const auto value = json::parse(R"({"a":[1,{"b":[true,null,"x"]},[]],"c":{"d":{"e":-5},"f":1.5}})");
    BOOST_TEST(value["a"][0] == 1);
    BOOST_TEST(value["a"][1]["b"][2] == "x");
    BOOST_TEST(value["a"][2].is_array());
    BOOST_TEST(value["c"]["d"]["e"] == -5);
    BOOST_TEST(value["c"]["f"] == 1.5);
    BOOST_TEST(json::parse("18446744073709551615").is_number_unsigned());
    BOOST_TEST(json::parse("-1").is_number_integer());
    BOOST_TEST(json::parse("1.0").is_number_integer());
    BOOST_TEST(json::parse("1.5").is_number_float());
}

BOOST_AUTO_TEST_CASE(wide_bodies_are_read) {
    std::string object = "{", array = "[";
    for (int i = 0; i < 20'000; ++i) {
        object += "\"key" + std::to_string(i) + "\":" + std::to_string(i) + ",";
        array += "{\"a\":[]},";
    }
    BOOST_TEST(json::parse(object + "\"end\":0}").size() == 20'001u);
    BOOST_TEST(json::parse(array + "0]").size() == 20'001u);
    BOOST_TEST(read(object + "\"key7\":0}") == refused);
}

// The internal text goes to the log, which never holds a password.
BOOST_AUTO_TEST_CASE(what_was_sent_is_not_in_the_internal_text) {
    for (const char* text : {"{\"password\":\"hunter2", "{\"password\":\"hunter2\n\"}", "{\"password\":hunter2}",
                             "{\"password\":\"hunter2\\x\"}", "{\"hunter2\":1,\"hunter2\":2}",
                             "{\"password\":\"hunter2\"\"hunter2\"}", "{\"password\":\"hunter2\xFF\"}", "[1e400,\"hunter2\"]"})
        BOOST_CHECK_EXCEPTION(json::parse(text), http::ApiError, [](const http::ApiError& error) {
            const std::string what = error.what();
            return !what.empty() && what.find("hunter2") == std::string::npos && what.size() < 100;
        });
}

BOOST_AUTO_TEST_CASE(fifty_thousand_values_are_enough) {
    // The array and its elements; names of an object do not count.
    for (const std::string part : {"0,", "{},", "[],", "\"x\",", "null,", "true,", "1.5,"}) {
        const auto list = [&](int values) { return "[" + repeat(part, values - 1) + "0]"; };
        BOOST_TEST((read(list(json::max_values - 1)) != refused), part);
        BOOST_TEST(read(list(json::max_values)) == refused, part);
    }
    std::string object = "{";
    for (int i = 1; i < json::max_values; ++i) object += "\"" + std::to_string(i) + "\":0,";
    BOOST_TEST((read(object.substr(0, object.size() - 1) + "}") != refused));
    BOOST_TEST(read(object + "\"0\":0}") == refused);
    BOOST_TEST(read(repeat("[" + repeat("0,", 12'500) + "0],", 3).insert(0, "[") + "[" + repeat("0,", 12'500) + "0]]") ==
               refused);
}

BOOST_AUTO_TEST_SUITE_END()
