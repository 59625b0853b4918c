// The lines of a feed: numbers, blank ones, long ones, in whatever pieces they come.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>

#include "resource/feed/lines.h"

using tradepost::feeds::Lines;
using tradepost::feeds::longest_line;

namespace {

Lines of(const std::string& text, std::size_t piece = 1 << 20) {
    return Lines([&text, piece](std::uint64_t offset, char* buffer, std::size_t size) {
        const auto count = std::min({size, piece, text.size() - std::size_t(offset)});
        if (count > 0) std::memcpy(buffer, text.data() + offset, count);
        return count;
    });
}

std::string all(Lines lines) {
    std::string found;
    while (lines.next())
        found += std::to_string(lines.number()) + "=" + std::string(lines.text()) + (lines.is_too_long() ? "!" : "") + ";";
    return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(feed_lines)

BOOST_AUTO_TEST_CASE(blank_lines_count_in_numbers_only) {
    const std::string text = "a\n\n  \t\r\nb\r\n\nc";
    for (const std::size_t piece : {1, 2, 3, 100}) BOOST_TEST(all(of(text, piece)) == "1=a;4=b\r;6=c;");
    const std::string none, blank = "\n \n\r\n";
    BOOST_TEST(all(of(none)) == "");
    BOOST_TEST(all(of(blank)) == "");
}

BOOST_AUTO_TEST_CASE(a_long_line_is_cut_and_the_next_one_is_whole) {
    const std::string fits(longest_line, 'x'), text = fits + "\n" + fits + "y\nz\n";
    auto lines = of(text);
    BOOST_TEST(lines.next());
    BOOST_TEST(!lines.is_too_long());
    BOOST_TEST(lines.text().size() == longest_line);
    BOOST_TEST(lines.next());
    BOOST_TEST(lines.is_too_long());
    BOOST_TEST(lines.text().size() == longest_line);
    BOOST_TEST(lines.next());
    BOOST_TEST(!lines.is_too_long());
    BOOST_TEST(lines.number() == 3u);
    BOOST_TEST(lines.text() == "z");
    BOOST_TEST(!lines.next());
    lines.rewind();
    BOOST_TEST(lines.next());
    BOOST_TEST(lines.number() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
