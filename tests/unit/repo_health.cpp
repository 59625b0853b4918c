#include "db/health.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "db/migrations.h"

// Who adds a file to sql/ adds what relies on it.
BOOST_AUTO_TEST_CASE(readiness_asks_for_the_last_migration) {
    BOOST_TEST(tradepost::db::Health::needed_migration == tradepost::db::read_migrations("sql").back().number);
}

// debian/changelog begins with "tradepost (2.0.0) unstable; …".
BOOST_AUTO_TEST_CASE(the_version_is_that_of_the_package) {
    std::ifstream changelog("debian/changelog");
    std::string package, version;
    BOOST_REQUIRE(changelog >> package >> version);
    BOOST_REQUIRE(version.size() > 2);
    BOOST_TEST(tradepost::db::version_line("tradepostctl") == "tradepostctl " + version.substr(1, version.size() - 2) +
                                                                  " (schema " +
                                                                  std::to_string(tradepost::db::Health::needed_migration) + ")");
}
