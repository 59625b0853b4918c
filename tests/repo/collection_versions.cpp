// Versions of collections: what a reader may hold on to.
#define BOOST_TEST_DYN_LINK
#include "versions/collection_versions.h"

#include <boost/test/unit_test.hpp>

#include "support/database.h"
#include "support/threads.h"

using namespace tradepost;

BOOST_AUTO_TEST_SUITE(collection_versions)

BOOST_AUTO_TEST_CASE(a_version_rises_with_a_commit_and_not_before) {
    test::MigratedDatabase database;
    db::Connection writer(database.config()), reader(database.config());
    versions::CollectionVersions versions(reader);
    BOOST_TEST(versions.version("jobs") == 0u);
    {
        db::Transaction transaction(writer);
        versions::touch(writer, "jobs");
        BOOST_TEST(versions.version("jobs") == 0u);
        transaction.commit();
    }
    BOOST_TEST(versions.version("jobs") == 1u);
    {
        db::Transaction transaction(writer);
        versions::touch(writer, "jobs");
    }
    BOOST_TEST(versions.version("jobs") == 1u);
    BOOST_TEST(versions.version("posts") == 0u);
}

BOOST_AUTO_TEST_CASE(no_touch_is_lost_among_writers) {
    test::MigratedDatabase database;
    std::vector<test::Thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            db::Connection connection(database.config());
            for (int n = 0; n < 25; ++n) db::in_transaction(connection, [&] { versions::touch(connection, "posts"); });
        });
    for (auto& thread : threads) thread.join();
    db::Connection reader(database.config());
    BOOST_TEST(versions::CollectionVersions(reader).version("posts") == 100u);
}

BOOST_AUTO_TEST_SUITE_END()
