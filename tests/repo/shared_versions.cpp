// Versions known without asking the database: never one that a committed transaction has made old.
#define BOOST_TEST_DYN_LINK
#include "versions/shared_versions.h"

#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "repo/import_support.h"
#include "support/database_proxy.h"
#include "support/patience.h"
#include "support/process.h"
#include "versions/collection_versions.h"

using namespace std::chrono_literals;
using namespace tradepost;
using When = versions::VersionsFile::WhenMissing;

namespace {

struct Fixture {
    test::MigratedDatabase database;
    std::string path = "/tmp/tradepost-versions-" + std::to_string(getpid());
    // A writer and a reader, as in two processes.
    versions::SharedVersions ours{path, When::create}, theirs{path, When::create};
    db::Connection writer{database.config(), {}, &ours}, reader{database.config(), {}, &theirs}, plain{database.config()};
    versions::CollectionVersions versions{reader, &theirs, 1h};

    ~Fixture() { std::filesystem::remove(path); }

    void touch() {
        db::in_transaction(writer, [&] { versions::touch(writer, "jobs"); });
    }
    // What nobody is told of, as by way of another host.
    void touch_elsewhere() {
        db::in_transaction(plain, [&] { versions::touch(plain, "jobs"); });
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(shared_versions, Fixture)

BOOST_AUTO_TEST_CASE(the_database_is_not_asked_again_until_somebody_has_committed) {
    BOOST_TEST(versions.version("jobs") == 0u);
    touch_elsewhere();
    BOOST_TEST(versions.version("jobs") == 0u);
    touch();
    BOOST_TEST(versions.version("jobs") == 2u);
    BOOST_TEST(versions.version("posts") == 0u);
    db::in_transaction(reader, [&] { versions::touch(reader, "jobs"); });
    BOOST_TEST(versions.version("jobs") == 3u);
}

BOOST_AUTO_TEST_CASE(every_commit_is_seen_at_once) {
    for (std::uint64_t i = 1; i <= 50; ++i) {
        touch();
        BOOST_TEST(versions.version("jobs") == i);
    }
}

BOOST_AUTO_TEST_CASE(an_open_transaction_and_a_rollback_are_nothing) {
    const auto epoch = theirs.state("jobs");
    BOOST_TEST(versions.version("jobs") == 0u);
    {
        db::Transaction transaction(writer);
        versions::touch(writer, "jobs");
        BOOST_CHECK(theirs.state("jobs") == epoch);
    }
    BOOST_CHECK(theirs.state("jobs") == epoch);
    // Nor is what it noted told by the next one.
    db::in_transaction(writer, [&] { versions::touch(writer, "posts"); });
    BOOST_CHECK(theirs.state("jobs") == epoch);
}

BOOST_AUTO_TEST_CASE(after_a_lost_answer_readers_ask_each_time) {
    BOOST_TEST(versions.version("jobs") == 0u);
    test::DatabaseProxy proxy(database.config());
    db::Connection proxied(proxy.config(), {}, &ours);
    BOOST_CHECK_THROW(db::in_transaction(proxied,
                                         [&] {
                                             versions::touch(proxied, "jobs");
                                             proxy.swallow_next_answer();
                                         }),
                      db::Unavailable);
    BOOST_CHECK(!theirs.state("jobs"));
    BOOST_TEST(versions.version("jobs") == 1u);
    touch_elsewhere();
    BOOST_TEST(versions.version("jobs") == 2u);
    touch();
    touch_elsewhere();
    BOOST_TEST(versions.version("jobs") == 4u);
    BOOST_TEST(theirs.state("posts").has_value());
}

BOOST_AUTO_TEST_CASE(what_the_server_refuses_to_commit_is_over) {
    const auto before = theirs.state("jobs");
    {
        db::Transaction transaction(writer);
        versions::touch(writer, "jobs");
        database.kill(writer);
        BOOST_CHECK_THROW(transaction.commit(), db::Unavailable);  // it may have got it, for all we know
    }
    BOOST_CHECK(!theirs.state("jobs"));
    BOOST_CHECK(theirs.state("jobs") != before);
}

BOOST_AUTO_TEST_CASE(the_database_is_asked_when_its_answer_is_old) {
    versions::CollectionVersions soon(reader, &theirs, 20ms);
    BOOST_TEST(soon.version("jobs") == 0u);
    touch_elsewhere();
    while (soon.version("jobs") == 0u) {
    }
    BOOST_TEST(soon.version("jobs") == 1u);
    versions::CollectionVersions always(reader, &theirs, 0ms), alone(reader);
    for (std::uint64_t i = 2; i < 5; ++i) {
        touch_elsewhere();
        BOOST_TEST(always.version("jobs") == i);
        BOOST_TEST(alone.version("jobs") == i);
    }
}

BOOST_AUTO_TEST_CASE(a_database_that_is_away_is_noticed) {
    test::DatabaseProxy proxy(test::impatient(database.config()));
    auto away = proxy.config();
    db::Connection connection(away, 1s, &theirs);
    versions::CollectionVersions soon(connection, &theirs, 20ms);
    soon.version("jobs");
    proxy.freeze();
    BOOST_CHECK_THROW(for (;;) soon.version("jobs"), db::Unavailable);
    BOOST_CHECK_THROW(soon.version("jobs"), db::Unavailable);
    proxy.thaw();
    const auto answers = [&] {
        try {
            return soon.version("jobs") == 0u;
        } catch (const db::Unavailable&) {
            return false;  // until the next probe
        }
    };
    BOOST_TEST(test::await(answers));
}

BOOST_AUTO_TEST_CASE(a_change_is_noted_in_a_transaction_only) {
    BOOST_CHECK_THROW(versions::touch(writer, "jobs"), std::logic_error);
    BOOST_CHECK_THROW(writer.note_change("jobs"), std::logic_error);
    BOOST_TEST(versions.version("jobs") == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
