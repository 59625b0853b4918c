#include "core/uuid.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <set>

#include "core/clock.h"
#include "core/crypto.h"

using namespace tradepost::core;

namespace {

int version(const Uuid& id) {
    return static_cast<unsigned char>(id.bytes()[6]) >> 4;
}
int variant(const Uuid& id) {
    return static_cast<unsigned char>(id.bytes()[8]) >> 6;
}

std::int64_t milliseconds_of(const Uuid& id) {
    std::int64_t ms = 0;
    for (int i = 0; i < 6; ++i) ms = ms << 8 | static_cast<unsigned char>(id.bytes()[i]);
    return ms;
}

// Later than every other test's, for ids are ascending in a whole process.
Time later() {
    static Time time = *parse_rfc3339("2100-01-01T00:00:00Z");
    return time += std::chrono::hours(1);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(uuid)

// RFC 9562, section 5.7.
BOOST_AUTO_TEST_CASE(version_7_has_its_time_version_and_variant) {
    for (int i = 0; i < 2000; ++i) {
        const auto now = later();
        const auto id = Uuid::v7(now);
        BOOST_REQUIRE(milliseconds_of(id) == now.time_since_epoch().count());
        BOOST_REQUIRE(version(id) == 7);
        BOOST_REQUIRE(variant(id) == 2);
    }
}

BOOST_AUTO_TEST_CASE(ids_ascend_within_a_millisecond) {
    const auto now = later();
    auto last = Uuid::v7(now);
    for (int i = 0; i < 70000; ++i) {  // more than two bytes of the counter
        const auto next = Uuid::v7(now);
        BOOST_REQUIRE(last < next);
        BOOST_REQUIRE(last.to_string() < next.to_string());
        BOOST_REQUIRE(version(next) == 7);
        BOOST_REQUIRE(variant(next) == 2);
        last = next;
    }
}

BOOST_AUTO_TEST_CASE(ids_ascend_when_the_clock_goes_back) {
    ManualClock clock(later());
    const auto first = Uuid::v7(clock.now());
    clock.advance(-std::chrono::hours(5));
    const auto second = Uuid::v7(clock.now());
    clock.advance(std::chrono::hours(5) + milliseconds(1));
    const auto third = Uuid::v7(clock.now());
    BOOST_TEST((first < second));
    BOOST_TEST((second < third));
    BOOST_TEST(version(second) == 7);
    BOOST_TEST(milliseconds_of(third) == clock.now().time_since_epoch().count());
}

BOOST_AUTO_TEST_CASE(ids_of_one_time_differ_by_chance) {
    std::set<std::string> tails;
    for (int i = 0; i < 1000; ++i) tails.insert(Uuid::v7(later()).to_string().substr(15));
    BOOST_TEST(tails.size() == 1000u);
}

BOOST_AUTO_TEST_CASE(text_reads_in_either_case_and_is_written_in_lower) {
    const std::string text = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f";
    BOOST_TEST(Uuid::parse(text)->to_string() == text);
    BOOST_TEST(Uuid::parse("017F22E2-79B0-7CC3-98C4-DC0C0C07398F")->to_string() == text);
    BOOST_TEST(to_hex(Uuid::parse(text)->bytes()) == "017f22e279b07cc398c4dc0c0c07398f");
    BOOST_TEST(Uuid().to_string() == "00000000-0000-0000-0000-000000000000");
}

BOOST_AUTO_TEST_CASE(what_is_no_uuid_is_refused) {
    for (const char* text :
         {"", "017f22e2", "017f22e279b07cc398c4dc0c0c07398f", "017f22e2-79b0-7cc3-98c4-dc0c0c07398",
          "017f22e2-79b0-7cc3-98c4-dc0c0c07398f0", "017f22e2-79b0-7cc3-98c4-dc0c0c07398g", "017f22e2-79b0-7cc3-98c4+dc0c0c07398f",
          "017f22e27-9b0-7cc3-98c4-dc0c0c07398f", "{17f22e2-79b0-7cc3-98c4-dc0c0c07398}", " 17f22e2-79b0-7cc3-98c4-dc0c0c07398f",
          "------------------------------------", "0x7f22e2-79b0-7cc3-98c4-dc0c0c07398f"})
        BOOST_TEST(!Uuid::parse(text), text);
}

BOOST_AUTO_TEST_CASE(bytes_go_both_ways) {
    const auto id = Uuid::v7(later());
    BOOST_TEST((Uuid::from_bytes(id.bytes()) == id));
    BOOST_TEST((Uuid::parse(id.to_string()) == id));
    BOOST_CHECK_THROW(Uuid::from_bytes(""), std::invalid_argument);
    BOOST_CHECK_THROW(Uuid::from_bytes(id.bytes().substr(1)), std::invalid_argument);
    BOOST_CHECK_THROW(Uuid::from_bytes(std::string(17, 'x')), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(crypto)

// FIPS 180-4's examples.
BOOST_AUTO_TEST_CASE(sha256_of_known_texts) {
    BOOST_TEST(to_hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    BOOST_TEST(to_hex(sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    BOOST_TEST(sha256(std::string_view("a\0b", 3)) != sha256("a"));
}

BOOST_AUTO_TEST_CASE(hex_is_lower_case_and_whole) {
    BOOST_TEST(to_hex(std::string_view("\x00\x0f\xf0\xff\xab", 5)) == "000ff0ffab");
    BOOST_TEST(to_hex("") == "");
}

BOOST_AUTO_TEST_CASE(random_bytes_are_as_many_as_asked_for_and_never_the_same) {
    for (const std::size_t count : {0u, 1u, 32u, 257u, 100000u}) BOOST_TEST(random_bytes(count).size() == count);
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i) seen.insert(random_bytes(16));
    BOOST_TEST(seen.size() == 1000u);
}

BOOST_AUTO_TEST_CASE(fast_hash_tells_texts_apart) {
    BOOST_TEST(fast_hash128("").size() == 16u);
    BOOST_TEST(fast_hash128("a") == fast_hash128("a"));
    std::set<std::string> hashes;
    std::string text(2000, 'x');
    for (std::size_t i = 0; i < text.size(); ++i) {
        text[i] = 'y';
        hashes.insert(fast_hash128(text));
        text[i] = 'x';
    }
    BOOST_TEST(hashes.size() == text.size());
}

BOOST_AUTO_TEST_SUITE_END()
