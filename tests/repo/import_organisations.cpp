// An import of organisations while others write.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <future>

#include "counts/table.h"
#include "ctl/import/import.h"
#include "repo/import_support.h"
#include "resources/posts/post.h"
#include "support/process.h"
#include "support/put.h"
#include "support/recount.h"

using namespace tradepost;
using namespace tradepost::test;

BOOST_AUTO_TEST_SUITE(import_organisations_)

// Held up when it has listed the posts and comes to the jobs.
BOOST_FIXTURE_TEST_CASE(an_import_of_organisations_holds_no_counts_or_versions, ImportFixture) {
    const std::string hidden = R"({"slug":"hidden-vans","name":"Vans","published":)";
    BOOST_TEST(import(ctl::import_posts, R"({"title":"P","organisation":"hidden-vans","publishedAt":"2026-01-01T00:00:00Z"})") ==
               "1/0/0");
    BOOST_TEST(import(ctl::import_jobs, R"({"title":"J","organisation":"hidden-vans"})") == "1/0/0");

    db::Connection holder(database.config()), other(database.config());
    db::Transaction held(holder);
    holder.query("SELECT id FROM jobs FOR UPDATE");
    auto result = std::async(std::launch::async, [&] { return import(ctl::import_organisations, hidden + "true}"); });
    BOOST_REQUIRE(
        await([&] { return other.query("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'").at(0).text(1) != "0"; }));
    posts::Post post;
    post.id = core::Uuid::v7(clock.now());
    post.slug = "other";
    post.title = "Other";
    post.published_at = post.created_at = post.updated_at = clock.now();
    other.execute("SET innodb_lock_wait_timeout = 1");
    BOOST_CHECK_NO_THROW(writes::write(
        other, [&](writes::WriteTransaction& transaction) { test::put<posts::Post>(transaction, std::span(&post, 1)); },
        {.patience = std::chrono::seconds(0)}));
    held.commit();
    BOOST_TEST(result.get() == "0/1/0");
    BOOST_TEST(count("posts WHERE listed = 1") == 2);
    BOOST_TEST(test::recount_all(connection) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
