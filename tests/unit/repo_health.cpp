#include "db/health.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "db/migrations.h"

// Who adds a file to sql/ adds what relies on it.
BOOST_AUTO_TEST_CASE(readiness_asks_for_the_last_migration) {
    BOOST_TEST(tradepost::db::Health::needed_migration == tradepost::db::read_migrations("sql").back().number);
}
