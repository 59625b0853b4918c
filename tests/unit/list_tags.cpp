#include "versions/list_tags.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost;
using versions::ListTags;

namespace {

core::Time at(int seconds) {
    return core::Time(core::seconds(seconds));
}

versions::Total count(std::int64_t rows, std::optional<core::Time> until = {}) {
    return {rows, until};
}

const ListTags tags(std::string(32, 'k'));

bool holds(const std::string& field, const std::string& list = "jobs?#1/20", std::uint64_t version = 7,
           core::Time now = at(100)) {
    return tags.find(field, list, version, now).has_value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(list_tags)

BOOST_AUTO_TEST_CASE(a_tag_holds_for_its_list_and_version) {
    const auto tag = tags.make("jobs?#1/20", 7, count(41));
    BOOST_TEST(holds(tag));
    BOOST_TEST(!holds(tag, "jobs?#2/20"));
    BOOST_TEST(!holds(tag, "jobs*#1/20"));
    BOOST_TEST(!holds(tag, "jobs?#1/20", 6));
    BOOST_TEST(!holds(tag, "jobs?#1/20", 8));
    BOOST_TEST(tags.find(tag, "jobs?#1/20", 7, at(100))->total == 41);
    BOOST_TEST(tags.find(tag, "jobs?#1/20", 7, at(100))->tag == tag);
    BOOST_TEST(tags.make("jobs?#1/20", 7, count(41)) == tag);
    const std::string odd("jobs?q=a\0", 9);
    BOOST_TEST(holds(tags.make(odd, UINT64_MAX, count(0)), odd, UINT64_MAX));
}

BOOST_AUTO_TEST_CASE(a_tag_ends_with_what_it_names) {
    const auto tag = tags.make("jobs?#1/20", 7, count(41, at(200)));
    BOOST_TEST(holds(tag, "jobs?#1/20", 7, at(200) - core::milliseconds(1)));
    BOOST_TEST(!holds(tag, "jobs?#1/20", 7, at(200)));
    BOOST_TEST(tag != tags.make("jobs?#1/20", 7, count(41)));
    BOOST_TEST(tag != tags.make("jobs?#1/20", 7, count(41, at(201))));
}

BOOST_AUTO_TEST_CASE(another_database_knows_no_tag_of_ours) {
    const ListTags others(std::string(31, 'k') + "K"), theirs(std::string(15, 'k') + "K" + std::string(16, 'k'));
    BOOST_TEST(!theirs.find(tags.make("a", 1, count(1)), "a", 1, at(100)));
    BOOST_TEST(others.find(tags.make("a", 1, count(1)), "a", 1, at(100)).has_value());  // 16 bytes are the key
}

BOOST_AUTO_TEST_CASE(nothing_of_a_tag_can_be_changed) {
    const auto tag = tags.make("jobs?#1/20", 7, count(41, at(200)));
    for (std::size_t i = 1; i + 1 < tag.size(); ++i)
        for (const char c : {'0', '1', 'f', 'F', '-', ' ', 'z'}) {
            auto forged = tag;
            if (forged[i] == c) continue;
            forged[i] = c;
            BOOST_TEST(!holds(forged), forged);
        }
    for (std::size_t length = 1; length + 1 < tag.size(); ++length) BOOST_TEST(!holds(tag.substr(0, length) + '"'));
    for (const char* none :
         {"", "*", "\"\"", "\"-\"", "\"--\"", "\"0-0-0-0000000000000000\"", "\"---0000000000000000\"", "abc", "W/"})
        BOOST_TEST(!holds(none), none);
}

BOOST_AUTO_TEST_CASE(a_tag_is_found_among_others) {
    const auto tag = tags.make("jobs?#1/20", 7, count(41));
    BOOST_TEST(holds("W/" + tag));
    BOOST_TEST(holds("\"x\", W/\"a,b\" , " + tag));
    BOOST_TEST(holds("\"0-0-0-0000000000000000\"," + tag + ",\"y\""));
    BOOST_TEST(!holds("\"x\" " + tag));
    BOOST_TEST(!holds(tag.substr(1)));
}

BOOST_AUTO_TEST_SUITE_END()
