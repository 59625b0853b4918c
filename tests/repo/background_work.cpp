// What follows from renaming an organisation and from deleting an integration, in small transactions after the request.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "deliver/kinds.h"
#include "identity/tokens/integrations.h"
#include "lists/horizon.h"
#include "outbox/queue.h"
#include "repo/enquiry_support.h"
#include "resources/accounts/background.h"
#include "resources/accounts/publication.h"
#include "resources/jobs/job.h"
#include "support/background.h"
#include "support/change_watch.h"
#include "support/put.h"
#include "support/recount.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

struct Fixture : test::Enquirers {
    core::ManualClock clock{start + 1min};

    std::string value(const std::string& sql) { return connection.query("SELECT " + sql).at(0).opt_text(0).value_or("NULL"); }
    std::int64_t count(const std::string& from) { return connection.query("SELECT COUNT(*) FROM " + from).at(0).integer(0); }
    void is_right() {
        for (const auto& fault : watch.faults()) BOOST_ERROR(fault);
        BOOST_TEST(test::recount_all(connection) == 0u);
    }
    test::ChangeWatch watch{connection};
};

struct Integration : Fixture {
    core::Uuid id;

    Integration() {
        id = db::in_transaction(connection, [&] {
                 return identity::Integrations(connection).add(organisations[0], "Feed", start);
             })->id;
    }
    void send_enquiries(int n) {
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            for (int i = 0; i < n; ++i)
                enquiries::EnquiryWriter(transaction)
                    .insert(enquiry(organisations[std::size_t(i % 2)], id, start + core::milliseconds(i)));
        });
    }
    bool remove() {
        return db::in_transaction(connection,
                                  [&] { return accounts::remove_integration(connection, organisations[0], id, clock.now()); });
    }
    std::string payload() { return value("payload FROM outbox_messages WHERE kind = 'user removal'"); }
};

struct Renaming : Fixture {
    identity::Organisation organisation;

    Renaming() {
        organisation = identity::Organisations(connection).find(organisations[0]).value();
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            std::vector<jobs::Job> all;
            for (int i = 0; i < 450; ++i) {
                jobs::Job job;
                job.id = core::Uuid::v7(start + core::milliseconds(i));
                job.slug = "job-" + std::to_string(i);
                job.title = "Fitter";
                job.status = "PUBLISHED";
                job.organisation.id = organisation.id;
                job.published_at = job.created_at = job.updated_at = start;
                all.push_back(job);
            }
            test::put<jobs::Job>(transaction, all);
        });
        watch.start();
    }
    void rename(const std::string& name) {
        auto after = organisation;
        after.name = name;
        after.updated_at = clock.now();
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            accounts::change_organisation(transaction, organisation, after);
        });
        organisation = after;
    }
    std::int64_t found_by(const std::string& word) { return count("job_search WHERE tokens LIKE '%" + word + "%'"); }
    std::uint64_t version() { return std::stoull(value("SUM(version) FROM collection_versions WHERE collection = 'jobs'")); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(background_work)

BOOST_FIXTURE_TEST_CASE(a_deleted_integration_is_taken_off_what_it_wrote, Integration) {
    send_enquiries(250);
    connection.execute(
        "INSERT INTO uploads (id, organisation_id, user_id, status, filename, content_type, created_at) VALUES (?, ?, ?, "
        "'READY', "
        "'a', 'image/png', ?)",
        {core::Uuid::v7(start), organisations[0], id, start});
    connection.execute(
        "INSERT INTO record_history (id, collection, row_id, user_id, kind, changes, changed_at) VALUES (?, 'stock', ?, ?, "
        "'CHANGED', '[]', ?)",
        {core::Uuid::v7(start), core::Uuid::v7(start), id, start});
    connection.execute("INSERT INTO idempotency_keys (user_id, key_hash, request_hash, created_at) VALUES (?, ?, ?, ?)",
                       {id, db::Binary{std::string(32, 'k')}, db::Binary{std::string(32, 'r')}, start});
    const auto polled = lists::horizon(connection, "enquiries", organisations, clock);
    watch.start();

    // Gone at once for everybody who looks, and without rights.
    BOOST_TEST(remove());
    BOOST_TEST(!remove());
    BOOST_TEST(identity::Integrations(connection).of_organisation(organisations[0], clock.now()).empty());
    BOOST_TEST(count("memberships WHERE user_id = " + std::string("(SELECT id FROM users WHERE name = 'Feed')")) == 0);
    BOOST_TEST(count("users WHERE name = 'Feed' AND disabled_at IS NOT NULL") == 1);
    is_right();

    // Totals and the change log are right at every commit, and no transaction writes many rows.
    const auto task = payload();
    int steps = 0;
    for (std::optional<std::string> left = task; left; ++steps) {
        const auto before = count("enquiries WHERE from_user_id IS NOT NULL");
        left = accounts::removal_step(connection, clock, *left);
        BOOST_TEST(before - count("enquiries WHERE from_user_id IS NOT NULL") <= 100);
        is_right();
    }
    BOOST_TEST(steps == 7);  // 3 of enquiries, uploads, history, keys, and the user
    BOOST_TEST(count("users WHERE name = 'Feed'") == 0);
    BOOST_TEST(count("enquiries WHERE from_user_id IS NULL") == 250);
    BOOST_TEST(count("uploads WHERE user_id IS NULL") == 1);
    BOOST_TEST(count("record_history WHERE user_id IS NULL") == 1);
    // The next poll tells of all of them, later than the one before.
    BOOST_TEST(connection.query("SELECT COUNT(*) FROM enquiries WHERE updated_at > ?", {polled}).at(0).integer(0) == 250);
    // A message that is delivered twice does no harm.
    BOOST_TEST(!accounts::removal_step(connection, clock, task).has_value());
}

BOOST_FIXTURE_TEST_CASE(a_deletion_that_was_interrupted_is_finished, Integration) {
    send_enquiries(150);
    BOOST_TEST(remove());
    BOOST_TEST(accounts::removal_step(connection, clock, payload()).has_value());
    send_enquiries(1);  // of a request that was under way
    test::do_background_work(connection);
    BOOST_TEST(count("users WHERE name = 'Feed'") == 0);
    BOOST_TEST(count("enquiries WHERE from_user_id IS NOT NULL") == 0);
    is_right();
}

BOOST_FIXTURE_TEST_CASE(nobody_deletes_a_user_behind_the_writers_backs, Integration) {
    send_enquiries(1);
    BOOST_CHECK_THROW(connection.execute("DELETE FROM users WHERE id = ?", {id}), db::Error);
}

BOOST_FIXTURE_TEST_CASE(a_new_name_is_shown_at_once_and_found_soon, Renaming) {
    const auto before = version();
    rename("Elmwood");
    // The request writes no row of a job, however many there are.
    BOOST_TEST(version() == before + 1);
    BOOST_TEST(count("changes WHERE collection = 'jobs'") == 450);  // of their creation
    BOOST_TEST(found_by("elmwood") == 0);
    BOOST_TEST(found_by("first") == 450);
    BOOST_TEST(value("kind FROM outbox_messages") == "organisation renaming");

    test::do_background_work(connection);
    BOOST_TEST(found_by("elmwood") == 450);
    BOOST_TEST(found_by("first") == 0);
    BOOST_TEST(version() == before + 2);  // lists with `q` are read again
    BOOST_TEST(count("outbox_messages") == 0);
    is_right();
}

BOOST_FIXTURE_TEST_CASE(following_a_name_goes_on_where_it_ended, Renaming) {
    rename("Elmwood");
    const auto middle = connection.query("SELECT id FROM jobs ORDER BY id LIMIT 1 OFFSET 399").at(0).uuid(0);
    auto payload = nlohmann::json::parse(value("payload FROM outbox_messages"));
    payload["table"] = "jobs";
    payload["after"] = middle.to_string();
    accounts::renaming_step(connection, clock, payload.dump());
    BOOST_TEST(found_by("elmwood") == 50);
    // The message itself was not finished, and is delivered again.
    test::do_background_work(connection);
    BOOST_TEST(found_by("elmwood") == 450);
    is_right();
}

// As often as somebody renames it, the words are written once.
BOOST_FIXTURE_TEST_CASE(the_last_of_several_names_is_followed, Renaming) {
    for (const auto* name : {"Ash", "Birch", "Cedar"}) rename(name);
    outbox::number(connection);
    outbox::Queue queue(connection, core::Uuid::v7(start));
    const auto target = queue.take(1, {}, {1}).at(0).name;
    const core::Config config;
    const std::atomic<bool> stopped = false;
    deliver::Sending sending{config, connection, stopped};
    std::vector<std::string> results;
    while (const auto delivery = queue.next(target)) {
        const auto outcome = deliver::find_kind(delivery->kind)->send(sending, *delivery);
        results.push_back(outcome.result);
        queue.finish(*delivery, outcome, false);
    }
    const std::vector<std::string> expected{"a later message does the same", "a later message does the same", "done"};
    BOOST_TEST(results == expected, boost::test_tools::per_element());
    BOOST_TEST(found_by("cedar") == 450);
    is_right();
}

BOOST_AUTO_TEST_SUITE_END()
