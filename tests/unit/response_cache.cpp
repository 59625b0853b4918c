#include "versions/response_cache.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost;
using versions::ResponseCache;

namespace {

core::Time at(int seconds) {
    return core::Time(core::seconds(seconds));
}

ResponseCache::Entry entry(std::uint64_t version, std::string body, core::Time since = at(100),
                           std::optional<core::Time> until = {}) {
    ResponseCache::Entry e;
    e.version = version;
    e.since = since;
    e.total.rows = std::int64_t(body.size());
    e.total.valid_until = until;
    e.body = std::move(body);
    return e;
}

bool has(ResponseCache& cache, const std::string& key, std::uint64_t version = 1, core::Time now = at(100)) {
    return cache.find(key, version, now) != nullptr;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(response_cache)

BOOST_AUTO_TEST_CASE(what_was_put_is_found) {
    ResponseCache r(10000);
    BOOST_TEST(!has(r, "a"));
    r.put("a", entry(1, "body"));
    const auto* found = r.find("a", 1, at(100));
    BOOST_REQUIRE(found);
    BOOST_TEST(found->body == "body");
    BOOST_TEST(found->total.rows == 4);
    BOOST_TEST(!has(r, "b"));
}

BOOST_AUTO_TEST_CASE(another_version_is_not_true_any_more) {
    ResponseCache r(10000);
    for (const std::uint64_t other : {0u, 2u}) {
        r.put("a", entry(1, "body"));
        BOOST_TEST(!has(r, "a", other));
        BOOST_TEST(r.size() == 0u);
        BOOST_TEST(!has(r, "a", 1));
    }
}

BOOST_AUTO_TEST_CASE(it_holds_from_since_until_valid_until) {
    ResponseCache r(10000);
    const auto now = [&](core::Time time) {
        r.put("a", entry(1, "body", at(100), at(200)));
        return has(r, "a", 1, time);
    };
    BOOST_TEST(now(at(100)));
    BOOST_TEST(now(at(200) - core::milliseconds(1)));
    BOOST_TEST(!now(at(200)));
    BOOST_TEST(!now(at(300)));
    BOOST_TEST(!now(at(100) - core::milliseconds(1)));  // the clock went back
    r.put("b", entry(1, "body", at(100)));
    BOOST_TEST(has(r, "b", 1, at(1000000)));
}

BOOST_AUTO_TEST_CASE(a_later_one_replaces_an_earlier) {
    ResponseCache r(10000);
    r.put("a", entry(1, std::string(1000, 'x')));
    const auto size = r.size();
    r.put("a", entry(1, "new"));
    BOOST_TEST(r.find("a", 1, at(100))->body == "new");
    BOOST_TEST(r.size() == size - 1000 + 3);
}

BOOST_AUTO_TEST_CASE(the_least_recently_used_go_first) {
    ResponseCache r(6 * (1000 + 256 + 1));
    for (const char* key : {"a", "b", "c", "d", "e", "f"}) r.put(key, entry(1, std::string(1000, 'x')));
    BOOST_TEST(has(r, "a"));  // and so used
    r.put("g", entry(1, std::string(1000, 'x')));
    BOOST_TEST(has(r, "a"));
    BOOST_TEST(!has(r, "b"));
    for (const char* key : {"c", "d", "e", "f", "g"}) BOOST_TEST(has(r, key), key);
    BOOST_TEST(r.size() <= 6u * (1000 + 256 + 1));
}

BOOST_AUTO_TEST_CASE(one_answer_does_not_push_out_all_others) {
    ResponseCache r(10000);
    r.put("a", entry(1, "small"));
    r.put("big", entry(1, std::string(2500, 'x')));
    BOOST_TEST(!has(r, "big"));
    BOOST_TEST(has(r, "a"));
    r.put("a", entry(1, std::string(2500, 'x')));
    BOOST_TEST(!has(r, "a"));
    BOOST_TEST(r.size() == 0u);
}

BOOST_AUTO_TEST_CASE(without_room_nothing_is_kept) {
    ResponseCache r(0);
    r.put("a", entry(1, "body"));
    r.put("", entry(1, ""));
    BOOST_TEST(!has(r, "a"));
    BOOST_TEST(!has(r, ""));
    BOOST_TEST(r.size() == 0u);
}

BOOST_AUTO_TEST_CASE(its_size_stays_bounded) {
    ResponseCache r(100000);
    for (int i = 0; i < 20000; ++i) {
        r.put("key" + std::to_string(i * 7919 % 1000), entry(std::uint64_t(i % 3), std::string(std::size_t(i * 31 % 5000), 'x')));
        has(r, "key" + std::to_string(i % 1000), std::uint64_t(i % 3));
        BOOST_REQUIRE(r.size() <= 100000u);
    }
    for (int i = 0; i < 1000; ++i) has(r, "key" + std::to_string(i), 99);
    BOOST_TEST(r.size() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
