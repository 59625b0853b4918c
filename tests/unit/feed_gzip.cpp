// Feeds that are sent compressed: members, pieces, damage, and how much a small body may become.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>

#include "resource/feed/gzip.h"
#include "support/gzip.h"
#include "support/refusal.h"

using tradepost::feeds::Gunzip;
using tradepost::test::gzip;
using tradepost::test::refusal;

namespace {

constexpr const char* no_gzip = "400 Invalid field: body: must be gzip, as Content-Encoding says";

// `read` counts the bytes of `text` that were read.
Gunzip of(const std::string& text, std::uint64_t most, std::size_t piece = 1 << 20, std::uint64_t* read = nullptr) {
    return Gunzip(
        [&text, piece, read](std::uint64_t offset, char* buffer, std::size_t size) {
            const auto count = std::min({size, piece, text.size() - std::size_t(offset)});
            if (count > 0) std::memcpy(buffer, text.data() + offset, count);
            if (read) *read += count;
            return count;
        },
        most);
}

std::string all(Gunzip source, std::size_t size = 1 << 20) {
    std::string found, buffer(size, '\0');
    for (std::uint64_t offset = 0;;) {
        const auto count = source(offset, buffer.data(), size);
        if (count == 0) return found;
        found.append(buffer, 0, count);
        offset += count;
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(feed_gzip)

BOOST_AUTO_TEST_CASE(in_whatever_pieces) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += "line " + std::to_string(i * 7919 % 2003) + "\n";
    const auto one = gzip(text), two = gzip(text.substr(0, 5000)) + gzip("") + gzip(text.substr(5000));
    for (const std::size_t piece : {1, 7, 100'000})
        for (const std::size_t size : {1, 1000, 100'000}) {
            BOOST_TEST((all(of(one, text.size(), piece), size) == text));
            BOOST_TEST((all(of(two, text.size(), piece), size) == text));
        }
    const std::string nothing, empty = gzip("");
    BOOST_TEST(all(of(nothing, 0)) == "");
    BOOST_TEST(all(of(empty, 0)) == "");
}

BOOST_AUTO_TEST_CASE(offset_0_begins_again) {
    const auto text = gzip("abcdef");
    auto source = of(text, 6);
    std::string buffer(3, '\0');
    for (int i = 0; i < 3; ++i) {
        BOOST_TEST(source(0, buffer.data(), 3) == 3u);
        BOOST_TEST(buffer == "abc");
    }
    BOOST_TEST(all(source) == "abcdef");
}

BOOST_AUTO_TEST_CASE(what_is_damaged_or_no_gzip_is_refused) {
    const auto whole = gzip("some lines\nand others\n");
    for (std::size_t length = 1; length < whole.size(); ++length) {
        const auto cut = whole.substr(0, length);
        BOOST_TEST(refusal([&] { all(of(cut, 1000)); }) == no_gzip, length);
    }
    auto wrong_sum = whole;
    wrong_sum[wrong_sum.size() - 8] ^= 1;
    for (const auto& bad : {std::string("plain"), whole + "x", wrong_sum, std::string("\x78\x9c\x03\x00\x00\x00\x00\x01", 8)})
        BOOST_TEST(refusal([&] { all(of(bad, 1000)); }) == no_gzip);
}

// A bomb is noticed when the limit is reached, not at its end.
BOOST_AUTO_TEST_CASE(more_than_the_limit_is_refused_early) {
    const auto exact = gzip(std::string(1000, ' ')), bomb = gzip(std::string(64 << 20, ' '));
    BOOST_TEST(all(of(exact, 1000)).size() == 1000u);
    BOOST_TEST(refusal([&] { all(of(exact, 999)); }) == "413 Request body too large");
    std::uint64_t read = 0;
    BOOST_TEST(bomb.size() > 60'000u);
    BOOST_TEST(refusal([&] { all(of(bomb, 1 << 20, 1000, &read), 64 << 10); }) == "413 Request body too large");
    BOOST_TEST(read <= 3'000u);
}

BOOST_AUTO_TEST_SUITE_END()
