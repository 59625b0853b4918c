// Polls with `updatedSince` while others write: none misses a row, none waits for nothing.
#define BOOST_TEST_DYN_LINK
#include "repo/polling.h"

#include <boost/test/unit_test.hpp>
#include <future>
#include <thread>

#include "repo/enquiry_support.h"
#include "repo/ownership.h"

using namespace tradepost;

namespace {

struct Fixture : test::Enquirers {
    db::Connection slow{database.config()}, quick{database.config()}, polling{database.config()}, watch{database.config()};
    core::ManualClock clock{start};

    // Inside a transaction: an enquiry as POST makes it, not yet written. The server itself locks organisation and sender when it
    // is, which is too late.
    domain::Enquiry begin_to_send(db::Connection& with, const core::Uuid& organisation) {
        BOOST_REQUIRE(repo::EnquiryWriter(with).find_target(sender, repo::EnquiryTarget::organisation, organisation).has_value());
        return enquiry(organisation, sender, clock.now());
    }
    void send(db::Connection& with, const core::Uuid& organisation) {
        repo::EnquiryWriter(with).insert(begin_to_send(with, organisation));
    }

    std::size_t rows(repo::EnquiryFilter filter, core::Time since, core::Time until) {
        filter.updated_since = since;
        filter.updated_until = until;
        return repo::Enquiries(watch).page(filter, {0, 100}).size();
    }

    // What `poll` returns; `meanwhile` is run once it waits for a lock, or has ended without.
    template <class Poll, class Meanwhile>
    core::Time poll_that_waits(Poll poll, Meanwhile meanwhile) {
        auto until = std::async(std::launch::async, poll);
        const auto ended = [&] { return until.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
        while (!ended() && status("Innodb_row_lock_current_waits") == 0) std::this_thread::yield();
        BOOST_TEST(!ended());
        meanwhile();
        return until.get();
    }

    // Of the server, which only this test uses now.
    std::int64_t status(const std::string& name) {
        return std::stoll(watch.query("SHOW GLOBAL STATUS LIKE ?", {name}).at(0).text(1));
    }
    std::int64_t lock_waits() { return status("Innodb_row_lock_waits"); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(polling, Fixture)

BOOST_AUTO_TEST_CASE(a_late_commit_with_an_early_time_is_waited_for) {
    db::Transaction late(slow);
    const auto first = begin_to_send(slow, organisations[0]);
    clock.advance(core::milliseconds(5));
    db::in_transaction(quick, [&] { send(quick, organisations[0]); });
    clock.advance(core::milliseconds(5));

    const auto until = poll_that_waits([&] { return repo::horizon(polling, organisations, clock); },
                                       [&] {
                                           repo::EnquiryWriter(slow).insert(first);
                                           late.commit();
                                       });
    BOOST_TEST((until == start + core::milliseconds(10)));
    BOOST_TEST(rows({.organisation_ids = {organisations[0]}}, start, until) == 2u);
}

BOOST_AUTO_TEST_CASE(a_new_item_of_a_member_is_waited_for) {
    db::Transaction late(slow);
    BOOST_REQUIRE(repo::Ownership(slow).of_user(member, organisations[0]).size() == 1u);
    clock.advance(core::milliseconds(5));
    const auto until = poll_that_waits([&] { return repo::horizon(polling, organisations, clock); }, [&] { late.commit(); });
    BOOST_TEST((until == start + core::milliseconds(5)));
}

BOOST_AUTO_TEST_CASE(a_change_by_the_recipient_is_waited_for) {
    db::in_transaction(quick, [&] { send(quick, organisations[0]); });
    const auto id = quick.query("SELECT id FROM enquiries").at(0).uuid(0);
    clock.advance(core::milliseconds(5));
    db::Transaction late(slow);
    BOOST_REQUIRE(repo::Ownership(slow).of_row(member, repo::Owned::enquiries, id).has_value());
    repo::EnquiryWriter writer(slow);
    auto changed = writer.find(id).value();
    changed.status = "READ";
    changed.updated_at = clock.now();
    clock.advance(core::milliseconds(5));

    const auto until = poll_that_waits([&] { return repo::sender_horizon(polling, sender, {}, clock); },
                                       [&] {
                                           writer.update(changed, changed);
                                           late.commit();
                                       });
    BOOST_TEST(rows({.sender = sender}, start + core::milliseconds(5), until) == 1u);
}

BOOST_AUTO_TEST_CASE(a_first_enquiry_to_somebody_new_is_waited_for) {
    db::in_transaction(quick, [&] { send(quick, organisations[0]); });
    clock.advance(core::milliseconds(5));
    db::Transaction late(slow);
    const auto first = begin_to_send(slow, organisations[1]);
    clock.advance(core::milliseconds(5));

    const auto until = poll_that_waits([&] { return repo::sender_horizon(polling, sender, {}, clock); },
                                       [&] {
                                           repo::EnquiryWriter(slow).insert(first);
                                           late.commit();
                                       });
    BOOST_TEST((until == start + core::milliseconds(10)));
    BOOST_TEST(rows({.sender = sender}, start, until) == 2u);
}

// A writer who needs more of an organisation than it has, as a change of the account does, is in a deadlock with whoever waits
// for it.
BOOST_AUTO_TEST_CASE(a_deadlock_with_a_writer_is_tried_again) {
    db::Transaction late(slow);
    send(slow, organisations[0]);
    clock.advance(core::milliseconds(5));
    const auto until = poll_that_waits([&] { return repo::horizon(polling, organisations, clock); },
                                       [&] {
                                           slow.query("SELECT 1 FROM organisations WHERE id = ? FOR UPDATE", {organisations[0]});
                                           late.commit();
                                       });
    BOOST_TEST((until == start + core::milliseconds(5)));
    BOOST_TEST(rows({.organisation_ids = {organisations[0]}}, start, until) == 1u);
}

BOOST_AUTO_TEST_CASE(whoever_writes_later_has_a_later_time) {
    const auto until = repo::horizon(polling, organisations, clock);
    db::Transaction transaction(slow);
    send(slow, organisations[0]);
    transaction.commit();
    // The same millisecond: the next poll begins with it.
    BOOST_TEST(rows({.organisation_ids = {organisations[0]}}, until, clock.now()) == 1u);
}

// A poll that waited here would end with an error.
BOOST_AUTO_TEST_CASE(nobody_is_waited_for_in_vain) {
    BOOST_TEST((repo::horizon(polling, organisations, clock) == start));
    BOOST_TEST((repo::horizon(polling, {}, clock) == start));
    BOOST_TEST((repo::sender_horizon(polling, sender, {}, clock) == start));
    const auto before = lock_waits();
    db::Transaction transaction(slow);
    send(slow, organisations[0]);
    BOOST_TEST((repo::horizon(polling, std::span(&organisations[1], 1), clock) == start));
    const std::array others{organisations[1], add_organisation("third")};
    BOOST_TEST((repo::horizon(polling, others, clock) == start));
    BOOST_TEST((repo::sender_horizon(polling, member, {}, clock) == start));
    BOOST_TEST((repo::sender_horizon(polling, member, organisations[0], clock) == start));
    BOOST_TEST(lock_waits() == before);
    transaction.commit();
}

BOOST_AUTO_TEST_CASE(organisations_that_a_sender_never_wrote_to_are_not_locked) {
    db::in_transaction(quick, [&] { send(quick, organisations[0]); });
    db::Transaction transaction(slow);
    slow.query("SELECT 1 FROM organisations WHERE id = ? LOCK IN SHARE MODE", {organisations[1]});
    const auto before = lock_waits();
    BOOST_TEST((repo::sender_horizon(polling, sender, {}, clock) == start));
    BOOST_TEST((repo::sender_horizon(polling, sender, organisations[1], clock) == start));
    BOOST_TEST(lock_waits() == before);
}

BOOST_AUTO_TEST_CASE(a_writer_that_does_not_end_is_waited_for_once) {
    db::Transaction transaction(slow);
    send(slow, organisations[0]);
    polling.execute("SET innodb_lock_wait_timeout = 1");
    const auto before = lock_waits();
    const auto busy = [](const db::Error& error) { return error.is_retryable() || error.is_timeout(); };
    BOOST_CHECK_EXCEPTION(repo::horizon(polling, organisations, clock), db::Error, busy);
    BOOST_TEST(lock_waits() == before + 1);
    BOOST_CHECK_EXCEPTION(repo::sender_horizon(polling, sender, {}, clock), db::Error, busy);
    BOOST_TEST(lock_waits() == before + 2);
    transaction.commit();
    BOOST_TEST((repo::horizon(polling, organisations, clock) == start));
}

BOOST_AUTO_TEST_SUITE_END()
