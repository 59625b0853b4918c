#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "resources/uploads/upload.h"

using namespace tradepost::uploads;

BOOST_AUTO_TEST_SUITE(domain_upload)

BOOST_AUTO_TEST_CASE(addresses_are_made_of_the_content) {
    const std::string hash = "\x0a\xff" + std::string(30, '\0');
    const std::string stem = "/uploads/0a/0aff" + std::string(60, '0');
    BOOST_TEST(upload_url(hash, "image/jpeg") == stem + ".jpg");
    BOOST_TEST(upload_url(hash, "image/png") == stem + ".png");
    BOOST_TEST(upload_url(hash, "image/webp") == stem + ".webp");
    BOOST_TEST(upload_url(hash, "application/pdf") == stem + ".pdf");
    BOOST_TEST(*thumbnail_url(hash, "image/jpeg") == stem + ".thumb.webp");
}

BOOST_AUTO_TEST_CASE(only_images_have_thumbnails) {
    BOOST_TEST(is_image("image/png"));
    BOOST_TEST(!is_image("application/pdf"));
    BOOST_TEST(!thumbnail_url(std::string(32, 'x'), "application/pdf"));
}

BOOST_AUTO_TEST_SUITE_END()
