#include "json/writer.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <limits>

#include "core/text.h"
#include "core/utf8.h"
#include "json/parse.h"

using namespace tradepost;
using json::Writer;

namespace {
template <class T>
std::string written(const T& value) {
    Writer writer;
    writer.value(value);
    return writer.take();
}
}  // namespace

BOOST_AUTO_TEST_SUITE(json_writer)

BOOST_AUTO_TEST_CASE(structures_get_their_commas) {
    Writer w;
    w.begin_object()
        .member("a", std::int64_t(1))
        .name("b")
        .begin_array()
        .value(true)
        .null()
        .begin_object()
        .end_object()
        .begin_array()
        .end_array()
        .end_array();
    w.member("c", "x").name("d").raw("[1,2]").name("e").begin_object().member("f", false).end_object().end_object();
    BOOST_TEST(w.text() == R"({"a":1,"b":[true,null,{},[]],"c":"x","d":[1,2],"e":{"f":false}})");
}

BOOST_AUTO_TEST_CASE(scalars) {
    BOOST_TEST(written(std::int64_t(0)) == "0");
    BOOST_TEST(written(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
    BOOST_TEST(written(std::numeric_limits<std::int64_t>::max()) == "9223372036854775807");
    BOOST_TEST(written(true) == "true");
    BOOST_TEST(written(false) == "false");
    BOOST_TEST(written("text") == "\"text\"");
    BOOST_TEST(written(*core::parse_rfc3339("2026-01-31T09:15:00.5Z")) == "\"2026-01-31T09:15:00.500Z\"");
    BOOST_TEST(written(*core::Uuid::parse("017F22E2-79B0-7CC3-98C4-DC0C0C07398F")) == "\"017f22e2-79b0-7cc3-98c4-dc0c0c07398f\"");
}

BOOST_AUTO_TEST_CASE(absent_values_are_null) {
    BOOST_TEST(written(std::optional<std::string>()) == "null");
    BOOST_TEST(written(std::optional<std::string>("")) == "\"\"");
    BOOST_TEST(written(std::optional<std::int64_t>()) == "null");
    BOOST_TEST(written(std::optional<std::int64_t>(7)) == "7");
    BOOST_TEST(written(std::optional<core::Time>()) == "null");
}

BOOST_AUTO_TEST_CASE(strings_are_escaped) {
    BOOST_TEST(written("\"\\/\n\r\t\b\f\x01\x1f\x7f") == "\"\\\"\\\\/\\n\\r\\t\\u0008\\u000c\\u0001\\u001f\x7f\"");
    BOOST_TEST(written(std::string("\0", 1)) == "\"\\u0000\"");
    BOOST_TEST(written("</script>\xE2\x80\xA8") == "\"</script>\xE2\x80\xA8\"");
    for (int c = 0; c < 256; ++c) {
        const std::string text = std::string("a") + char(c) + "b" + char(c);
        const auto out = written(text);
        BOOST_TEST(core::is_utf8(out));
        const auto back = json::parse(out).get<std::string>();
        if (c < 0x80) BOOST_TEST(back == text);
    }
}

BOOST_AUTO_TEST_CASE(every_code_point_reads_back) {
    for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x900 ? 1 : 61) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        std::string text;
        core::append_code_point(text, c);
        BOOST_REQUIRE(json::parse(written(text)) == text);
    }
}

BOOST_AUTO_TEST_CASE(bad_bytes_are_replaced_one_by_one) {
    const std::string mark = "\xEF\xBF\xBD";
    BOOST_TEST(written("a\xFFz") == "\"a" + mark + "z\"");
    BOOST_TEST(written("\xC3") == "\"" + mark + "\"");
    BOOST_TEST(written("\xE2\x82z") == "\"" + mark + mark + "z\"");
    BOOST_TEST(written("\xED\xA0\x80") == "\"" + mark + mark + mark + "\"");
    BOOST_TEST(written("\xF0\x9F\x98\x80\xF0\x9F\x98") == "\"\xF0\x9F\x98\x80" + mark + mark + mark + "\"");
    BOOST_TEST(written("\xC3\xA9\x80\"\n") == "\"\xC3\xA9" + mark + "\\\"\\n\"");
}

BOOST_AUTO_TEST_SUITE_END()
