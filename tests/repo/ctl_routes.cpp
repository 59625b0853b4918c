// The table of the API as reviewers read it: a change of it shows in routes.txt.
#include <fstream>
#include <sstream>

#define BOOST_TEST_DYN_LINK
#include "repo/ctl_support.h"

BOOST_FIXTURE_TEST_SUITE(ctl_routes, tradepost::test::CtlFixture)

// build/tradepostctl routes >tests/repo/routes.txt
BOOST_AUTO_TEST_CASE(the_table_is_the_one_that_was_reviewed) {
    std::ostringstream reviewed;
    reviewed << std::ifstream("tests/repo/routes.txt").rdbuf();
    BOOST_TEST(bare({"routes"}).out == reviewed.str());
}

BOOST_AUTO_TEST_SUITE_END()
