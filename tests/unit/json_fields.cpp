#include "fields/json.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "json/parse.h"
#include "resources/jobs/job.h"
#include "resources/posts/post.h"
#include "support/refusal.h"

using namespace tradepost;
using fields::Reading;

namespace {

// One member of each kind and each presence.
struct Thing {
    std::string name, state = "NEW";
    std::optional<std::string> note, link;
    std::optional<std::int64_t> count;
    bool open = true;
    core::Time starts{}, made{};
    std::optional<core::Time> ends;
    std::vector<std::string> tags;
};

std::span<const fields::Field<Thing>> thing_fields() {
    using namespace fields;
    static constexpr std::string_view states[] = {"NEW", "USED"};
    static const Field<Thing> fields[] = {
        {"name", rules::required_text(3), &Thing::name},
        {"state", rules::choice(states, Presence::defaulted), &Thing::state},
        {"note", rules::text(5), &Thing::note, Use::detail},
        {"link", rules::of(Kind::https_url), &Thing::link},
        {"count", rules::integer(-5, 5), &Thing::count},
        {"open", {Kind::boolean, Presence::defaulted}, &Thing::open},
        {"starts", rules::time(Presence::required), &Thing::starts},
        {"ends", rules::time(), &Thing::ends},
        {"tags", {Kind::text_list, Presence::defaulted, 0, 2, {}}, &Thing::tags},
        {"made", rules::time(Presence::defaulted), &Thing::made, Use::read_only},
    };
    return fields;
}

const std::string minimum = R"("name":"abc","starts":"2026-01-01T00:00:00Z")";

Thing read(const std::string& members, Reading reading = Reading::create, Thing thing = {}) {
    fields::read_fields<Thing>(json::parse("{" + members + "}"), thing_fields(), thing, reading);
    return thing;
}

// What one more member, beside those that are required, is refused with.
std::string refused(const std::string& member, Reading reading = Reading::create) {
    return test::refusal([&] { read(minimum + "," + member, reading); });
}

std::string times(std::string_view part, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += part;
    return text;
}

std::string field(const std::string& text) {
    return "400 Invalid field: " + text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(json_fields)

BOOST_AUTO_TEST_CASE(every_kind_is_read) {
    const auto t = read(R"("name":"abc","state":"USED","note":"n","link":"https://a/","count":-5,"open":false,)"
                        R"("starts":"2026-01-01T00:00:00+01:00","ends":"2026-01-02T00:00:00Z","tags":["x","y"])");
    BOOST_TEST(t.name == "abc");
    BOOST_TEST(t.state == "USED");
    BOOST_TEST(t.note.value() == "n");
    BOOST_TEST(t.link.value() == "https://a/");
    BOOST_TEST(t.count.value() == -5);
    BOOST_TEST(!t.open);
    BOOST_TEST(core::to_rfc3339(t.starts) == "2025-12-31T23:00:00.000Z");
    BOOST_TEST(core::to_rfc3339(t.ends.value()) == "2026-01-02T00:00:00.000Z");
    BOOST_TEST(t.tags == (std::vector<std::string>{"x", "y"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(lengths_count_code_points) {
    const std::string three = times("\xF0\x9F\x98\x80", 3);
    BOOST_TEST(read("\"starts\":\"2026-01-01T00:00:00Z\",\"name\":\"" + three + "\"").name == three);
    const auto name = [](const std::string& text) {
        return test::refusal([&] { read("\"starts\":\"2026-01-01T00:00:00Z\",\"name\":\"" + text + "\""); });
    };
    BOOST_TEST(name("") == field("name: must be 1 to 3 characters long"));
    BOOST_TEST(name("a") == "accepted");
    BOOST_TEST(name("\\ud83d\\ude00\\ud83d\\ude00\\ud83d\\ude00") == "accepted");
    BOOST_TEST(name(times("\xF0\x9F\x98\x80", 4)) == field("name: must be 1 to 3 characters long"));
    BOOST_TEST(name("abcd") == field("name: must be 1 to 3 characters long"));
    BOOST_TEST(name("a\\u0000") == field("name: must not contain NUL"));
    BOOST_TEST(refused("\"note\":\"\"") == "accepted");
    BOOST_TEST(refused("\"note\":\"" + times("\xE2\x82\xAC", 5) + "\"") == "accepted");
    BOOST_TEST(refused("\"note\":\"" + times("\xE2\x82\xAC", 6) + "\"") == field("note: must be at most 5 characters long"));
}

BOOST_AUTO_TEST_CASE(wrong_types_are_told) {
    for (const std::string value : {"5", "true", "[]", "{}", "1.5"}) {
        BOOST_TEST(refused("\"note\":" + value) == field("note: must be a string"));
        BOOST_TEST(refused("\"state\":" + value) == field("state: must be a string"));
        BOOST_TEST(refused("\"link\":" + value) == field("link: must be a string"));
        BOOST_TEST(refused("\"ends\":" + value) == field("ends: must be a string"));
    }
    for (const std::string value : {"\"5\"", "true", "[]", "{}", "1.5", "1.0000001", "25e-1"})
        BOOST_TEST(refused("\"count\":" + value) == field("count: must be an integer"));
    for (const std::string value : {"\"true\"", "1", "0", "[]", "{}"})
        BOOST_TEST(refused("\"open\":" + value) == field("open: must be true or false"));
    for (const std::string value : {"\"x\"", "1", "{}", "[1]", "[\"x\",null]", "[[\"x\"]]"})
        BOOST_TEST(refused("\"tags\":" + value) == field("tags: must be a list of strings"));
}

BOOST_AUTO_TEST_CASE(bounds_of_values_are_told) {
    for (const std::string value :
         {"-6", "6", "9223372036854775807", "9223372036854775808", "18446744073709551615", "-9223372036854775808"})
        BOOST_TEST(refused("\"count\":" + value) == field("count: must be an integer from -5 to 5"));
    BOOST_TEST(refused("\"count\":5") == "accepted");
    BOOST_TEST(read(minimum + ",\"count\":5.0").count.value() == 5);
    BOOST_TEST(read(minimum + ",\"count\":-0.5e1").count.value() == -5);
    BOOST_TEST(refused("\"count\":6.0") == field("count: must be an integer from -5 to 5"));
    BOOST_TEST(refused("\"state\":\"new\"") == field("state: must be one of NEW, USED"));
    BOOST_TEST(refused("\"state\":\"\"") == field("state: must be one of NEW, USED"));
    BOOST_TEST(refused("\"link\":\"http://a/\"") == field("link: must be an https URL"));
    BOOST_TEST(refused("\"link\":\"https://a/" + times("x", 2038) + "\"") == "accepted");
    BOOST_TEST(refused("\"link\":\"https://a/" + times("x", 2039) + "\"") == field("link: must be at most 2048 characters long"));
    BOOST_TEST(refused("\"ends\":\"2026-01-01\"") == field("ends: must be an RFC 3339 time"));
    BOOST_TEST(refused("\"tags\":[]") == "accepted");
    BOOST_TEST(refused("\"tags\":[\"a\",\"b\",\"c\"]") == field("tags: must hold at most 2 texts"));
    BOOST_TEST(refused("\"tags\":[\"\"]") == field("tags: must hold texts of 1 to 80 characters"));
    BOOST_TEST(refused("\"tags\":[\"" + times("\xF0\x9F\x98\x80", 80) + "\"]") == "accepted");
    BOOST_TEST(refused("\"tags\":[\"" + times("x", 81) + "\"]") == field("tags: must hold texts of 1 to 80 characters"));
    BOOST_TEST(refused("\"tags\":[\"a\\u0000\"]") == field("tags: must not contain NUL"));
}

BOOST_AUTO_TEST_CASE(what_is_required_must_be_there_in_a_new_one) {
    const auto create = [](const std::string& members) { return test::refusal([&] { read(members); }); };
    BOOST_TEST(create("") == field("name: is required"));
    BOOST_TEST(create("\"name\":null") == field("name: must not be null"));
    BOOST_TEST(create("\"name\":\"a\"") == field("starts: is required"));
    BOOST_TEST(create("\"name\":\"a\",\"starts\":null") == field("starts: must not be null"));
    // The first in the order of the descriptions is told, not the first in the body.
    BOOST_TEST(create("\"starts\":5,\"name\":5") == field("name: must be a string"));
    const auto t = read(minimum);
    BOOST_TEST(t.state == "NEW");
    BOOST_TEST(t.open);
    BOOST_TEST(!t.note);
    BOOST_TEST(t.tags.empty());
}

BOOST_AUTO_TEST_CASE(null_clears_what_is_optional_and_nothing_else) {
    for (const auto reading : {Reading::create, Reading::change, Reading::import}) {
        BOOST_TEST(refused("\"state\":null", reading) == field("state: must not be null"));
        BOOST_TEST(refused("\"open\":null", reading) == field("open: must not be null"));
        BOOST_TEST(refused("\"tags\":null", reading) == field("tags: must not be null"));
        Thing full;
        full.note = "n";
        full.link = "https://a/";
        full.count = 1;
        full.ends = core::Time(core::milliseconds(1));
        const auto t = read(minimum + R"(,"note":null,"link":null,"count":null,"ends":null)", reading, full);
        BOOST_TEST(!t.note);
        BOOST_TEST(!t.link);
        BOOST_TEST(!t.count);
        BOOST_TEST(!t.ends);
    }
}

// RFC 7396.
BOOST_AUTO_TEST_CASE(a_change_leaves_what_it_does_not_name) {
    Thing before;
    before.name = "old";
    before.note = "n";
    before.count = 3;
    before.tags = {"x", "y"};
    const auto same = read("", Reading::change, before);
    BOOST_TEST(same.name == "old");
    BOOST_TEST(same.note.value() == "n");
    BOOST_TEST(same.count.value() == 3);
    const auto changed = read("\"count\":4,\"tags\":[\"z\"]", Reading::change, before);
    BOOST_TEST(changed.name == "old");
    BOOST_TEST(changed.count.value() == 4);
    BOOST_TEST(changed.tags == (std::vector<std::string>{"z"}), boost::test_tools::per_element());
    BOOST_TEST(test::refusal([&] { read("\"name\":null", Reading::change, before); }) == field("name: must not be null"));
    BOOST_TEST(test::refusal([&] { read("\"name\":\"\"", Reading::change, before); }) ==
               field("name: must be 1 to 3 characters long"));
}

BOOST_AUTO_TEST_CASE(read_only_fields_are_ignored_but_by_an_import) {
    const std::string made = "\"made\":\"2000-01-01T00:00:00Z\"";
    BOOST_TEST((read(minimum + "," + made).made == core::Time()));
    BOOST_TEST((read(made, Reading::change).made == core::Time()));
    BOOST_TEST(core::to_rfc3339(read(minimum + "," + made, Reading::import).made) == "2000-01-01T00:00:00.000Z");
    // Whatever stands there.
    for (const std::string value : {"5", "null", "\"x\"", "{}"}) {
        BOOST_TEST(refused("\"made\":" + value) == "accepted");
        BOOST_TEST(refused("\"made\":" + value, Reading::change) == "accepted");
    }
    BOOST_TEST(refused("\"made\":5", Reading::import) == field("made: must be a string"));
    BOOST_TEST(refused("\"made\":null", Reading::import) == field("made: must not be null"));
    BOOST_TEST(test::refusal([] { read("\"name\":\"a\"", Reading::import); }) == field("starts: is required"));
}

BOOST_AUTO_TEST_CASE(unknown_members_are_named) {
    const auto unknown = [](const std::string& text) {
        return test::refusal([&] { fields::refuse_unknown<Thing>(json::parse(text), thing_fields(), {"id", "organisation"}); });
    };
    BOOST_TEST(unknown("{}") == "accepted");
    BOOST_TEST(unknown("{\"name\":5,\"made\":null,\"id\":1,\"organisation\":{\"x\":1}}") == "accepted");
    BOOST_TEST(unknown("{\"nmae\":1}") == "400 Unknown field: nmae");
    BOOST_TEST(unknown("{\"Name\":1}") == "400 Unknown field: Name");
    BOOST_TEST(unknown("{\"\":1}") == "400 Unknown field: ");
    BOOST_TEST(unknown("{\"name \":1}") == "400 Unknown field: name ");
}

BOOST_AUTO_TEST_CASE(what_is_written_reads_back) {
    auto thing =
        read(R"("name":"x","state":"USED","note":null,"count":5,"starts":"2026-01-01T00:00:00.123Z","tags":["x","\u00e9"])");
    thing.name = "\"\\\x01";
    json::Writer detail, list;
    detail.begin_object();
    fields::write_fields<Thing>(detail, thing_fields(), thing, true);
    detail.end_object();
    BOOST_TEST(detail.text() ==
               "{\"name\":\"\\\"\\\\\\u0001\",\"state\":\"USED\",\"note\":null,\"link\":null,\"count\":5,\"open\":true,"
               "\"starts\":\"2026-01-01T00:00:00.123Z\","
               "\"ends\":null,\"tags\":[\"x\",\"\xC3\xA9\"],\"made\":\"1970-01-01T00:00:00.000Z\"}");
    list.begin_object();
    fields::write_fields<Thing>(list, thing_fields(), thing, false);
    list.end_object();
    BOOST_TEST(!json::parse(list.text()).contains("note"));
    BOOST_TEST(json::parse(list.text()).size() == 9u);
    // What a GET shows, a PATCH takes.
    Thing again;
    fields::read_fields<Thing>(json::parse(detail.text()), thing_fields(), again, Reading::import);
    fields::refuse_unknown<Thing>(json::parse(detail.text()), thing_fields());
    BOOST_TEST(again.name == "\"\\");  // a control character ends a text no more
    BOOST_TEST((again.starts == thing.starts));
}

BOOST_AUTO_TEST_SUITE_END()
