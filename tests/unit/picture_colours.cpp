// The colours of stored pictures: by a profile that fits, else as they are.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>

#include "files/image_header.h"
#include "files/intake.h"
#include "support/pictures.h"
#include "support/process.h"
#include "support/refusal.h"

using namespace tradepost;
using test::colour_profile;
using test::in_colour_space;
using test::in_one_colour;
using test::with_profile;
using test::with_text;

namespace {

using Pixel = std::vector<double>;

struct Folder {
    Folder() { BOOST_REQUIRE(mkdtemp(path.data())); }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string path = "/tmp/tradepost-colours-XXXXXX";
};

struct Stored {
    std::string picture, thumbnail;
};

Stored stored(const std::string& sent) {
    const Folder folder;
    const files::Store store(folder.path);
    const auto header = files::read_image_header(sent);
    BOOST_REQUIRE(header);
    std::optional<files::Prepared> made;
    BOOST_REQUIRE_EQUAL(test::refusal([&] { made = files::prepare(store, sent, header->content_type, "data"); }), "accepted");
    const auto& prepared = made.value();
    return {test::read_file(prepared.file), test::read_file(prepared.thumbnail.value())};
}

// Whether both have these bands, each but for `off`.
bool is_near(const Pixel& is, const Pixel& right, double off) {
    return std::ranges::equal(is, right, [&](double a, double b) { return std::abs(a - b) <= off; });
}

std::string text(const Pixel& pixel) {
    std::string all;
    for (const double band : pixel) all += std::to_string(int(band)) + " ";
    return all;
}

void check_stored(const std::string& name, const std::string& sent, const Pixel& right, double off = 0) {
    BOOST_TEST_CONTEXT(name) {
        const auto is = test::pixel(stored(sent).picture, 30, 30);
        BOOST_TEST(is_near(is, right, sent.starts_with("\xff\xd8") ? 2 : off), text(is) << "and not " << text(right));
    }
}

const std::vector<int> blue{0, 0, 254}, grey{128};
const Pixel blue_pixel{0, 0, 254}, grey_pixel{128};
const std::string jpeg = "x.jpg[Q=100,subsample-mode=off,strip]", png = "x.png[strip]", webp = "x.webp[lossless,strip]";

std::string with_bytes(std::string profile, std::size_t at, const std::string& bytes) {
    return profile.replace(at, bytes.size(), bytes);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(picture_colours)

// The names of profiles in texts, in what follows the picture, and in pixels are no profile.
BOOST_AUTO_TEST_CASE(a_picture_without_a_profile_stays_as_it_is) {
    const std::string names = R"(<x:xmpmeta photoshop:ICCProfile="sRGB"/> ICC_PROFILE iCCP ICCP)";
    for (const auto& name : {jpeg, png, webp}) {
        const auto sent = in_one_colour(blue, name);
        check_stored("none: " + name, sent, blue_pixel);
        check_stored("text: " + name, with_text(sent, names), blue_pixel);
        if (name == webp) continue;  // has its length in its header
        check_stored("behind: " + name, sent + std::string("ftypmp42") + names, blue_pixel);
        check_stored("grey: " + name, with_text(in_one_colour(grey, name), names), grey_pixel);
    }
}

BOOST_AUTO_TEST_CASE(a_thumbnail_has_the_same_colours) {
    // It is a lossy WebP, which has no form with one band.
    for (const auto& [colour, right] : {std::pair(blue, blue_pixel), std::pair(grey, Pixel(3, 128))}) {
        const auto is = test::pixel(stored(in_one_colour(colour, png)).thumbnail, 30, 30);
        BOOST_TEST(is_near(is, right, 6), text(is) << "and not " << text(right));
    }
}

BOOST_AUTO_TEST_CASE(a_profile_that_fits_is_followed) {
    const Pixel red{200, 40, 40};
    for (const auto& name : {"x.jpg[Q=100,subsample-mode=off]", "x.png", "x.webp[lossless]"}) {
        const auto sent = in_colour_space("p3", {200, 40, 40}, name);
        BOOST_TEST(test::pixel(sent, 30, 30).at(0) < 190);
        check_stored(name, sent, red, 2);  // both conversions round
    }
    // The profile in parts, as a large one comes.
    const auto bare = test::converted(in_colour_space("p3", {200, 40, 40}, "x.jpg[Q=100,subsample-mode=off]"), jpeg);
    check_stored("parts", with_profile(bare, colour_profile("p3"), 3), red);
    // A gamma of 1 makes 128 of 255 half of the light, which is 188 in sRGB.
    for (const auto& name : {jpeg, png})
        check_stored("grey " + name, with_profile(in_one_colour(grey, name), test::grey_profile(1)), Pixel(3, 188));
}

BOOST_AUTO_TEST_CASE(a_profile_of_another_colour_space_is_ignored) {
    const auto srgb = colour_profile("srgb"), p3 = colour_profile("p3"), gamma = test::grey_profile(1);
    for (const auto& name : {jpeg, png, webp})
        check_stored("grey in RGB: " + name, with_profile(in_one_colour(blue, name), gamma), blue_pixel);
    for (const auto& name : {jpeg, png}) {
        check_stored("sRGB in grey: " + name, with_profile(in_one_colour(grey, name), srgb), grey_pixel);
        check_stored("P3 in grey: " + name, with_profile(in_one_colour(grey, name), p3), grey_pixel);
    }
    // CMYK without a fitting profile has the colours of the profile that vips has for that, from which it was made.
    const Pixel printed{200, 120, 60};
    const auto full = in_colour_space("cmyk", {200, 120, 60}, "x.jpg[Q=100,subsample-mode=off]");
    const auto bare = test::converted(full, jpeg);
    BOOST_TEST(test::pixel(bare, 30, 30).size() == 4u);
    const auto right = test::pixel(stored(bare).picture, 30, 30);
    BOOST_TEST(is_near(right, printed, 12), text(right));
    check_stored("CMYK in CMYK", full, right);
    check_stored("sRGB in CMYK", with_profile(bare, srgb), right);
    check_stored("P3 in CMYK", with_profile(bare, p3), right);
    check_stored("grey in CMYK", with_profile(bare, gamma), right);
}

BOOST_AUTO_TEST_CASE(a_damaged_profile_is_ignored) {
    using namespace std::string_literals;
    const auto p3 = colour_profile("p3"), gamma = test::grey_profile(1);
    const auto red_curve = p3.find("rTRC");
    const std::pair<const char*, std::string> damaged[] = {
        {"empty", ""},
        {"cut in its header", p3.substr(0, 60)},
        {"cut", p3.substr(0, 300)},
        {"too many tags", with_bytes(p3, 128, "\0\0\xff\xff"s)},
        {"without a curve", with_bytes(p3, red_curve, "xTRC")},
        {"of no profile", with_bytes(p3, 36, "xxxx")},
        {"a link", with_bytes(p3, 12, "link")},
        {"of an unknown space", with_bytes(p3, 16, "Xyz?")},
        {"of Lab", with_bytes(p3, 16, "Lab ")},
        {"noise", std::string(600, '\x5a')},
    };
    const auto sent = in_one_colour(blue, jpeg);
    for (const auto& [name, profile] : damaged) check_stored(name, with_profile(sent, profile), blue_pixel);
    for (const auto& file : {png, webp})
        check_stored("cut: " + file, with_profile(in_one_colour(blue, file), p3.substr(0, 300)), blue_pixel);
    check_stored("grey, cut", with_profile(in_one_colour(grey, jpeg), gamma.substr(0, 150)), grey_pixel);
}

BOOST_AUTO_TEST_SUITE_END()
