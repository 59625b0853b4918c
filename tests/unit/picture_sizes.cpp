// How many pixels a picture may have: those of today's telephones.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "files/intake.h"
#include "support/pictures.h"
#include "support/refusal.h"

using namespace tradepost;

BOOST_AUTO_TEST_SUITE(picture_sizes)

BOOST_AUTO_TEST_CASE(the_limit_follows_the_memory_of_the_decoder) {
    const std::string decoded = "400 Invalid field: data: must be a picture that can be decoded",
                      refused = "400 Invalid field: data: must have at most 67 megapixels";
    const struct {
        std::uint32_t width, height;
        std::string becomes;
    } rows[] = {
        {8160, 6144, decoded}, {8192, 6144, decoded}, {9248, 6936, decoded}, {8192, 8192, decoded}, {8193, 8192, refused}};
    std::string folder = "/tmp/tradepost-sizes-XXXXXX";
    BOOST_REQUIRE(mkdtemp(folder.data()));
    const files::Store store(folder);
    // A header alone, which only the decoder refuses.
    for (const auto& [width, height, becomes] : rows)
        BOOST_TEST(test::refusal([&] { files::prepare(store, test::png_header(width, height), "image/png", "data"); }) == becomes,
                   width << " x " << height);
    std::filesystem::remove_all(folder);
}

BOOST_AUTO_TEST_SUITE_END()
