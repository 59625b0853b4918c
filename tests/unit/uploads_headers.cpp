// Headers of pictures, and containers without metadata.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "files/image_header.h"
#include "files/webp.h"
#include "support/pictures.h"

using namespace tradepost;
using namespace tradepost::files;

namespace {

// "image/png 3x4", with "lossless"; "none" for what is no picture.
std::string told(const std::string& file) {
    const auto header = read_image_header(file);
    if (!header) return "none";
    return std::string(header->content_type) + " " + std::to_string(header->width) + "x" + std::to_string(header->height) +
           (header->lossless ? " lossless" : "");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(uploads_headers)

BOOST_AUTO_TEST_CASE(real_pictures) {
    BOOST_TEST(told(test::picture(31, 17)) == "image/jpeg 31x17");
    BOOST_TEST(told(test::picture(31, 17, "x.jpg[interlace]")) == "image/jpeg 31x17");
    BOOST_TEST(told(test::with_exif(test::picture(31, 17), 6)) == "image/jpeg 31x17");
    BOOST_TEST(told(test::picture(31, 17, "x.png")) == "image/png 31x17 lossless");
    BOOST_TEST(told(test::picture(31, 17, "x.webp")) == "image/webp 31x17");
    BOOST_TEST(told(test::picture(31, 17, "x.webp[lossless]")) == "image/webp 31x17 lossless");
}

BOOST_AUTO_TEST_CASE(every_shorter_beginning_is_none_or_the_same) {
    for (const std::string name : {"x.jpg", "x.png", "x.webp", "x.webp[lossless]"}) {
        const auto whole = test::picture(31, 17, name);
        const auto right = told(whole);
        for (std::size_t size = 0; size < std::min<std::size_t>(whole.size(), 1000); ++size) {
            const auto text = told(whole.substr(0, size));
            BOOST_TEST((text == "none" || text.starts_with(right.substr(0, right.find(" l")))),
                       name << " " << size << ": " << text);
        }
    }
}

BOOST_AUTO_TEST_CASE(numbers_at_their_limits) {
    BOOST_TEST(told(test::png_header(60000, 60000)) == "image/png 60000x60000 lossless");
    BOOST_TEST(read_image_header(test::png_header(0x7fffffff, 0x7fffffff))->pixels() == 0x7fffffffull * 0x7fffffffull);
    BOOST_TEST(told(test::png_header(0x80000000, 1)) == "none");
    BOOST_TEST(told(test::png_header(0, 1)) == "none");
    BOOST_TEST(told(test::png_header(1, 0)) == "none");
    // A JPEG whose frame says 65535 × 65535 behind a segment, fill bytes and a table that has a frame's number range.
    using namespace std::string_literals;
    const auto frame = "\xff\xc2\x00\x0b\x08\xff\xff\xff\xff\x01\x01\x11\x00"s;
    BOOST_TEST(told("\xff\xd8\xff\xe0\x00\x04xx\xff\xff\xff\xc4\x00\x02"s + frame) == "image/jpeg 65535x65535");
    BOOST_TEST(told("\xff\xd8\xff\xe0\x00\x01"s + frame) == "none");    // a segment shorter than its own length
    BOOST_TEST(told("\xff\xd8\xff\xda\x00\x04xx"s + frame) == "none");  // the scan first
    BOOST_TEST(told("\xff\xd8\xff\xe0\xff\xff"s + frame) == "none");
    // A canvas that is larger than its frame counts, and the other way round.
    const auto extended = [](const std::string& canvas) {
        return "RIFF\x30\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0"s + canvas + "VP8L\x05\0\0\0\x2f\xff\x3f\x00\x00\0"s;
    };
    BOOST_TEST(told(extended("\xff\xff\xff\xff\xff\xff"s)) == "image/webp 16777216x16777216 lossless");
    BOOST_TEST(told(extended("\0\0\0\0\0\0"s)) == "image/webp 16384x1 lossless");
}

BOOST_AUTO_TEST_CASE(webp_without_metadata) {
    const auto plain = test::picture(31, 17, "x.webp");
    const auto full = test::converted(test::with_exif(test::picture(31, 17), 6), "x.webp");
    BOOST_TEST(full.find("EXIF") != std::string::npos);
    const auto bare = strip_webp(full).value();
    BOOST_TEST(bare.find("EXIF") == std::string::npos);
    BOOST_TEST(bare.find("secret place") == std::string::npos);
    BOOST_TEST(told(bare) == "image/webp 31x17");
    BOOST_TEST(strip_webp(bare).value() == bare);
    BOOST_TEST(test::picture_field(bare, "width") == "31");
    BOOST_TEST(test::picture_field(bare, "exif-data") == "");
    BOOST_TEST(test::picture_field(strip_webp(plain).value(), "height") == "17");
    BOOST_TEST(!strip_webp(full.substr(0, full.size() - 1)));
    BOOST_TEST(!strip_webp(full + "x"));
    BOOST_TEST(!strip_webp("RIFF"));
}

BOOST_AUTO_TEST_SUITE_END()
