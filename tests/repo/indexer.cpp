// The indexes of the search server follow the database, whatever happens to either of them.
#include "search/engines/indexer.h"

#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <filesystem>
#include <thread>

#include "changes/readers.h"
#include "core/clock.h"
#include "db/lease.h"
#include "db/sphinxql.h"
#include "identity/organisations/organisations.h"
#include "resources/accounts/publication.h"
#include "resources/jobs/job.h"
#include "resources/jobs/lists.h"
#include "search/engines/sphinx_search.h"
#include "search/engines/words_state.h"
#include "support/background.h"
#include "support/database.h"
#include "support/process.h"
#include "support/put.h"
#include "support/search_server.h"
#include "support/threads.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

// The index of jobs as another version has it, without the columns of the members' list.
search::SphinxIndex of_another_version() {
    return search::SphinxIndex({&jobs::public_list()});
}

// One server for all cases, each of which has a database of its own.
test::SearchServer& server() {
    static test::SearchServer only({of_another_version()});
    return only;
}

// For a server that is away.
core::Config::Search with_default_limits(core::Config::Search config) {
    const core::Config::Search defaults;
    config.timeout = defaults.timeout;
    config.connect_timeout = defaults.connect_timeout;
    return config;
}

struct Fixture {
    test::MigratedDatabase database;
    db::Connection connection{database.config()};
    core::ManualClock clock{*core::parse_rfc3339("2026-06-01T12:00:00Z")};
    std::vector<std::unique_ptr<search::Indexer>> indexers{test::indexers(connection, server().config())};
    search::SphinxSearch search{connection, server().config(), test::search_indexes()};
    search::SphinxSearch impatient{connection, with_default_limits(server().config()), test::search_indexes()};
    db::SphinxQl search_server{server().config(), 10s};
    identity::Organisation organisation;

    Fixture() {
        organisation.id = core::Uuid::v7(clock.now());
        organisation.slug = organisation.name = "north";
        organisation.published = true;
        organisation.created_at = organisation.updated_at = clock.now();
        write_organisation();
        test::follow(indexers);
    }

    void write_organisation() {
        writes::write(connection,
                      [&](auto& transaction) { accounts::write_organisations(transaction, std::span(&organisation, 1)); });
    }

    jobs::Job job(const std::string& title) {
        clock.advance(core::milliseconds(1));
        jobs::Job job;
        job.id = core::Uuid::v7(clock.now());
        job.slug = "job-" + job.id.to_string().substr(24);
        job.title = title;
        job.status = "PUBLISHED";
        job.organisation.id = organisation.id;
        job.published_at = job.created_at = job.updated_at = clock.now();
        return job;
    }

    void write(const std::vector<jobs::Job>& all) {
        writes::write(connection, [&](auto& transaction) { test::put<jobs::Job>(transaction, all); });
    }
    void remove(const jobs::Job& job) {
        writes::write(connection, [&](auto& transaction) { test::drop<jobs::Job>(transaction, job.id); });
    }

    lists::Matches find_with(search::SphinxSearch& by, const std::string& q, db::Slice slice = {0, 20}) {
        return by.find(lists::select(jobs::public_list(), http::Query("q=" + q)), slice, clock.now());
    }
    lists::Matches find(const std::string& q, db::Slice slice = {0, 20}) { return find_with(search, q, slice); }
    // Once everything is followed.
    std::int64_t count(const std::string& q) {
        test::follow(indexers);
        return find(q).total;
    }
    std::string searched() {
        const auto built = search::searched_index(connection, jobs_indexer().described());
        return jobs_indexer().described().name(built ? built->side : '-');
    }
    search::Indexer& jobs_indexer() {
        const auto is_of_jobs = [](const auto& each) { return each->described().table() == "jobs"; };
        return **std::find_if(indexers.begin(), indexers.end(), is_of_jobs);
    }
    void tell(const std::string& statement) { search_server.execute(statement); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(search_indexer, Fixture)

BOOST_AUTO_TEST_CASE(rows_are_found_as_they_are_now) {
    auto first = job("golf driver"), second = job("van driver");
    write({first, second});
    BOOST_TEST(count("driver") == 2);
    BOOST_TEST((find("driver").ids == std::vector{second.id, first.id}));  // equally good: the newest first
    first.title = "golf golf";
    write({first});
    BOOST_TEST(count("driver") == 1);
    BOOST_TEST(count("golf") == 1);
    second.status = "CLOSED";
    write({second});
    BOOST_TEST(count("driver") == 0);
    remove(first);
    BOOST_TEST(count("golf") == 0);
}

BOOST_AUTO_TEST_CASE(expiry_and_unpublishing_hide_at_once) {
    auto all = std::vector{job("driver"), job("driver")};
    all[0].expires_at = clock.now() + 1h;
    write(all);
    BOOST_TEST(count("driver") == 2);
    clock.advance(1h);
    BOOST_TEST(find("driver").total == 1);  // the index has not changed
    organisation.published = false;
    write_organisation();
    BOOST_TEST(count("driver") == 0);
    organisation.published = true;
    organisation.name = "Elmwood";
    write_organisation();
    test::do_background_work(connection);
    BOOST_TEST(count("driver") == 1);
    BOOST_TEST(count("elmwood+driver") == 1);
    BOOST_TEST(count("north") == 0);
}

BOOST_AUTO_TEST_CASE(pages_reach_the_end) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 250; ++i) all.push_back(job("driver"));
    write(all);
    test::follow(indexers);
    std::vector<core::Uuid> found;
    for (std::int64_t offset = 0; offset < 300; offset += 40) {
        const auto page = find("driver", {offset, 40});
        BOOST_TEST(page.total == 250);
        found.insert(found.end(), page.ids.begin(), page.ids.end());
    }
    BOOST_TEST(found.size() == 250u);
    BOOST_TEST(
        std::equal(found.begin(), found.end(), all.rbegin(), all.rend(), [](auto& id, auto& one) { return id == one.id; }));
    for (const std::int64_t far : {10'000LL, 1'000'000'000'000LL}) {
        BOOST_TEST(find("driver", {far, 40}).total == 250);
        BOOST_TEST(find("driver", {far, 40}).ids.empty());
    }
}

BOOST_AUTO_TEST_CASE(a_killed_server_is_brought_up_to_date) {
    write({job("driver")});
    BOOST_TEST(count("driver") == 1);
    write({job("driver")});
    server().stop(SIGKILL);
    BOOST_CHECK_THROW(find_with(impatient, "driver"), lists::SearchUnavailable);
    BOOST_CHECK_THROW(test::follow(indexers), db::Unavailable);
    server().start();
    BOOST_TEST(count("driver") == 2);
}

BOOST_AUTO_TEST_CASE(a_server_that_stands_still_makes_the_search_unavailable) {
    write({job("driver")});
    BOOST_TEST(count("driver") == 1);
    BOOST_TEST(find_with(impatient, "driver").total == 1);
    {
        const test::Paused paused({server().process()});
        BOOST_CHECK_THROW(find_with(impatient, "driver"), lists::SearchUnavailable);  // waits for its answer
        BOOST_CHECK_THROW(find_with(impatient, "driver"), lists::SearchUnavailable);  // waits for a connection
        const auto not_sent = [](const auto& error) {
            return std::string_view(error.what()).find("not sent") != std::string::npos;
        };
        BOOST_CHECK_EXCEPTION(find_with(impatient, "driver"), lists::SearchUnavailable, not_sent);
    }
    const auto found = [&] {
        try {
            return find("driver").total == 1;
        } catch (const lists::SearchUnavailable&) {
            return false;
        }
    };
    BOOST_TEST(test::await(found));
}

BOOST_AUTO_TEST_CASE(a_search_waits_for_a_server_that_was_just_killed) {
    write({job("driver")});
    BOOST_TEST(count("driver") == 1);
    tell("FLUSH RTINDEX " + searched());
    server().stop(SIGKILL);
    auto patient = server().config();
    patient.timeout = 30s;  // a busy machine takes its time to start the server
    search::SphinxSearch waiting(connection, patient, test::search_indexes());
    const auto selection = lists::select(jobs::public_list(), http::Query("q=driver"));
    std::int64_t total = -1;
    std::string failure;
    test::Thread searching([&] {
        try {
            total = waiting.find(selection, {0, 20}, clock.now()).total;
        } catch (const std::exception& error) {
            failure = error.what();
        }
    });
    std::this_thread::sleep_for(300ms);  // nobody tells when a search has begun to wait
    server().start();
    searching.join();
    BOOST_TEST(failure == "");
    BOOST_TEST(total == 1);
}

BOOST_AUTO_TEST_CASE(an_emptied_index_is_not_searched_and_built_anew) {
    write({job("driver"), job("driver")});
    BOOST_TEST(count("driver") == 2);
    const auto before = searched();
    tell("TRUNCATE RTINDEX " + before);
    BOOST_CHECK_THROW(find("driver"), lists::SearchUnavailable);
    BOOST_TEST(count("driver") == 2);
    BOOST_TEST(searched() != before);
}

BOOST_AUTO_TEST_CASE(an_older_index_catches_up) {
    const auto one = job("driver");
    write({one});
    BOOST_TEST(count("driver") == 1);
    const auto copy = server().folder() + "-copy";
    server().stop(SIGTERM);
    std::filesystem::copy(server().folder() + "/data", copy, std::filesystem::copy_options::recursive);
    server().start();
    const auto before = searched();
    write({job("driver"), job("driver")});
    remove(one);
    BOOST_TEST(count("driver") == 2);

    server().stop(SIGTERM);
    std::filesystem::remove_all(server().folder() + "/data");
    std::filesystem::rename(copy, server().folder() + "/data");
    server().start();
    BOOST_TEST(find("driver").total == 1);
    BOOST_TEST(count("driver") == 2);
    BOOST_TEST(searched() == before);
}

// As after the restore of a backup: the log has other changes at the index's position, or none.
BOOST_AUTO_TEST_CASE(an_index_of_another_history_is_built_anew) {
    auto one = job("driver");
    write({one});
    BOOST_TEST(count("driver") == 1);
    const auto before = searched();
    connection.execute("UPDATE changes SET changed_at = changed_at - INTERVAL 1 DAY");
    BOOST_CHECK_THROW(find("driver"), lists::SearchUnavailable);
    test::follow(indexers);
    BOOST_TEST(searched() != before);

    const auto other = searched();
    connection.execute("DELETE FROM changes");
    one.title = "lorry";
    write({one});
    BOOST_TEST(count("lorry") == 1);
    BOOST_TEST(searched() != other);
}

BOOST_AUTO_TEST_CASE(an_index_of_another_database_is_not_trusted) {
    write({job("driver")});
    BOOST_TEST(count("driver") == 1);
    Fixture other;
    other.write({other.job("lorry")});
    BOOST_TEST(other.count("driver") == 0);
    BOOST_TEST(other.count("lorry") == 1);
    BOOST_TEST(count("driver") == 1);
    BOOST_TEST(count("lorry") == 0);
}

BOOST_AUTO_TEST_CASE(a_rebuild_goes_on_beside_searches_and_writes) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 3000; ++i) all.push_back(job("driver"));
    write(all);
    BOOST_TEST(count("driver") == 3000);
    const auto before = searched();

    test::Thread rebuild([&] {
        db::Connection own(database.config());
        search::Indexer(own, server().config(), jobs_indexer().described()).rebuild([] { return true; });
    });
    std::size_t removed = 0;
    bool always_all = true;
    while (!rebuild.ended()) {
        // The first one is copied early, so it has to be removed from the new index as well.
        write({job("driver")});
        remove(all.at(removed++));
        const auto followed = searched();
        test::follow(indexers);
        auto total = find("driver").total;
        // The new one may have the job that was written and not yet know of the one that was removed.
        if (searched() != followed) total = count("driver");
        always_all = always_all && total == 3000;
    }
    rebuild.join();
    BOOST_TEST(removed > 0u);
    BOOST_TEST(always_all);
    BOOST_TEST(searched() != before);
    BOOST_TEST(count("driver") == 3000);
}

BOOST_AUTO_TEST_CASE(an_index_waits_for_the_words) {
    write({job("driver")});
    connection.execute("UPDATE search_words SET scheme = 0 WHERE list = 'jobs'");
    BOOST_CHECK_EXCEPTION(jobs_indexer().follow([] { return true; }), std::runtime_error,
                          [](const auto& error) { return std::string_view(error.what()).ends_with("run tradepostctl reindex"); });
    search::set_words_complete(connection, "jobs");
    BOOST_TEST(count("driver") == 1);
}

BOOST_AUTO_TEST_CASE(two_versions_search_and_follow_side_by_side) {
    write({job("driver")});
    BOOST_TEST(count("driver") == 1);
    const auto other = of_another_version();
    BOOST_TEST(other.pair() != jobs_indexer().described().pair());
    search::Indexer indexer(connection, server().config(), other);
    search::SphinxSearch search_of_other(connection, server().config(), {other});
    const auto count_by_other = [&] {
        return search_of_other.find(lists::select(jobs::public_list(), http::Query("q=driver")), {0, 20}, clock.now()).total;
    };
    const auto before = searched();
    BOOST_CHECK_THROW(count_by_other(), lists::SearchUnavailable);
    BOOST_CHECK_THROW(indexer.rebuild([] { return false; }), search::Interrupted);
    BOOST_CHECK_THROW(count_by_other(), lists::SearchUnavailable);
    test::follow(indexer);
    BOOST_TEST(count_by_other() == 1);
    write({job("driver")});
    BOOST_TEST(count("driver") == 2);
    BOOST_TEST(count_by_other() == 1);
    test::follow(indexer);
    BOOST_TEST(count_by_other() == 2);
    BOOST_TEST(searched() == before);
    changes::prune(connection, clock.now());
    write({job("driver")});
    test::follow(indexer);
    BOOST_TEST(count_by_other() == 3);
    BOOST_TEST(count("driver") == 3);
}

BOOST_AUTO_TEST_CASE(indexes_that_no_version_follows_are_dropped) {
    write({job("driver")});
    const auto other = of_another_version();
    search::Indexer indexer(connection, server().config(), other);
    test::follow(indexer);
    BOOST_TEST(count("driver") == 1);
    const auto name = other.name(search::searched_index(connection, other)->side);
    const auto readers = [&] {
        return connection
            .query("SELECT COUNT(*) FROM change_readers WHERE name LIKE CONCAT('%', ?, '%')",
                   {std::string_view(other.shape())})[0]
            .integer(0);
    };
    const auto is_there = [&] {
        jobs_indexer().drop_others();
        const bool stored = search::searched_index(connection, other).has_value();
        BOOST_TEST(stored == search::index_state(search_server, name).has_value());
        BOOST_TEST(readers() == (stored ? 2 : 0));
        return stored;
    };
    BOOST_TEST(is_there());
    connection.execute("UPDATE change_readers SET seen_at = seen_at - INTERVAL 601 SECOND");
    {
        db::Connection another(database.config());
        const auto lease = db::Lease::take(another, search::follower(other.pair()), 60s);
        BOOST_TEST(is_there());
    }
    BOOST_TEST(!is_there());
    BOOST_TEST(count("driver") == 1);
    test::follow(indexer);  // after a downgrade
    BOOST_TEST(is_there());
}

// What the server had in memory when it was killed is not in its files: the log keeps it until it is.
BOOST_AUTO_TEST_CASE(the_log_keeps_what_a_killed_server_has_lost) {
    write({job("driver")});
    BOOST_TEST(count("driver") == 1);
    const auto before = searched();
    for (int i = 0; i < 3; ++i) {
        write({job("driver")});
        test::follow(indexers);
    }
    connection.execute(
        "UPDATE change_readers SET position = (SELECT last FROM change_positions) WHERE name NOT LIKE '% on disk'");
    changes::prune(connection, clock.now());
    server().stop(SIGKILL);
    server().start();
    BOOST_TEST(count("driver") == 4);
    BOOST_TEST(searched() == before);
}

BOOST_AUTO_TEST_CASE(a_rebuild_that_may_not_go_on_leaves_what_is_searched) {
    write({job("driver")});
    BOOST_TEST(count("driver") == 1);
    const auto before = searched();
    BOOST_CHECK_THROW(jobs_indexer().rebuild([] { return false; }), search::Interrupted);
    BOOST_TEST(searched() == before);
    BOOST_TEST(count("driver") == 1);
}

// A process that was stopped in the middle may have overwritten newer rows.
BOOST_AUTO_TEST_CASE(what_was_taken_without_the_lease_is_taken_again) {
    auto one = job("driver");
    write({one});
    test::follow(indexers);
    write({job("other")});
    jobs_indexer().follow([] { return true; });
    tell("DELETE FROM " + searched() + " WHERE id < " + std::to_string(search::SphinxIndex::note_number));
    BOOST_TEST(count("other") == 0);
    write({one});
    jobs_indexer().follow([] { return true; });
    tell("DELETE FROM " + searched() + " WHERE id < " + std::to_string(search::SphinxIndex::note_number));
    jobs_indexer().record_again();
    BOOST_TEST(count("driver") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
