// Polls with `updatedSince` while others write: none misses a row, none waits for nothing.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <future>
#include <thread>

#include "lists/horizon.h"
#include "repo/enquiry_support.h"
#include "writes/ownership.h"

using namespace tradepost;

namespace {

struct Fixture : test::Enquirers {
    db::Connection slow{database.config()}, quick{database.config()}, polling{database.config()}, watch{database.config()};
    core::ManualClock clock{start};

    // Inside a transaction: an enquiry as POST makes it, not yet written. The server itself locks organisation and sender when it
    // is, which is too late.
    enquiries::Enquiry begin_to_send(writes::WriteTransaction& transaction, const core::Uuid& organisation) {
        BOOST_REQUIRE(enquiries::EnquiryWriter(transaction)
                          .find_target(sender, enquiries::EnquiryTarget::organisation, organisation)
                          .has_value());
        return enquiry(organisation, sender, clock.now());
    }
    void send(writes::WriteTransaction& transaction, const core::Uuid& organisation) {
        enquiries::EnquiryWriter(transaction).insert(begin_to_send(transaction, organisation));
    }
    void send(const core::Uuid& organisation) {
        writes::write(quick, [&](writes::WriteTransaction& transaction) { send(transaction, organisation); });
    }

    std::size_t rows(lists::Selection poll, core::Time since, core::Time until) {
        poll.updated_since = since;
        poll.updated_until = until;
        return test::read(watch, poll, {0, 100}, clock.now()).rows.size();
    }
    lists::Selection of_first() const { return test::selected(enquiries::received_list(), "", {organisations[0]}); }

    // A poll that waits for a lock by now, or has ended without. Where this test is slower than the time that a poll waits, it polls again.
    template <class Poll>
    std::future<core::Time> begin_to_poll(Poll poll) {
        auto until = std::async(std::launch::async, [poll] {
            for (int tries = 1;; ++tries) {
                try {
                    return poll();
                } catch (const db::Error& error) {
                    if (!error.is_timeout() || tries == 100) throw;
                }
            }
        });
        const auto ended = [&] { return until.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
        while (!ended() && status("Innodb_row_lock_current_waits") == 0) std::this_thread::yield();
        BOOST_TEST(!ended());
        return until;
    }
    std::future<core::Time> begin_to_poll_organisations() {
        return begin_to_poll([&] { return lists::horizon(polling, "enquiries", organisations, clock); });
    }
    std::future<core::Time> begin_to_poll_as_sender() {
        return begin_to_poll([&] { return lists::sender_horizon(polling, sender, {}, clock); });
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
    std::future<core::Time> until;
    writes::write(slow, [&](writes::WriteTransaction& late) {
        const auto first = begin_to_send(late, organisations[0]);
        clock.advance(core::milliseconds(5));
        send(organisations[0]);
        clock.advance(core::milliseconds(5));
        until = begin_to_poll_organisations();
        enquiries::EnquiryWriter(late).insert(first);
    });
    const auto time = until.get();
    BOOST_TEST((time == start + core::milliseconds(10)));
    BOOST_TEST(rows(of_first(), start, time) == 2u);
}

BOOST_AUTO_TEST_CASE(a_new_item_of_a_member_is_waited_for) {
    db::Transaction late(slow);
    BOOST_REQUIRE(writes::Ownership(slow).of_user(member, organisations[0]).size() == 1u);
    clock.advance(core::milliseconds(5));
    auto until = begin_to_poll_organisations();
    late.commit();
    BOOST_TEST((until.get() == start + core::milliseconds(5)));
}

BOOST_AUTO_TEST_CASE(a_change_by_the_recipient_is_waited_for) {
    send(organisations[0]);
    const auto id = quick.query("SELECT id FROM enquiries").at(0).uuid(0);
    clock.advance(core::milliseconds(5));
    std::future<core::Time> until;
    writes::write(slow, [&](writes::WriteTransaction& late) {
        BOOST_REQUIRE(writes::Ownership(slow).of_row(member, "enquiries", id).has_value());
        enquiries::EnquiryWriter writer(late);
        auto changed = writer.find(id).value().enquiry;
        changed.status = "READ";
        changed.updated_at = clock.now();
        clock.advance(core::milliseconds(5));
        until = begin_to_poll_as_sender();
        writer.update(changed, changed);
    });
    BOOST_TEST(rows(sent(), start + core::milliseconds(5), until.get()) == 1u);
}

BOOST_AUTO_TEST_CASE(a_first_enquiry_to_somebody_new_is_waited_for) {
    send(organisations[0]);
    clock.advance(core::milliseconds(5));
    std::future<core::Time> until;
    writes::write(slow, [&](writes::WriteTransaction& late) {
        const auto first = begin_to_send(late, organisations[1]);
        clock.advance(core::milliseconds(5));
        until = begin_to_poll_as_sender();
        enquiries::EnquiryWriter(late).insert(first);
    });
    const auto time = until.get();
    BOOST_TEST((time == start + core::milliseconds(10)));
    BOOST_TEST(rows(sent(), start, time) == 2u);
}

// A writer who needs more of an organisation than it has, as a change of the account does, is in a deadlock with whoever waits
// for it.
BOOST_AUTO_TEST_CASE(a_deadlock_with_a_writer_is_tried_again) {
    std::future<core::Time> until;
    writes::write(slow, [&](writes::WriteTransaction& late) {
        send(late, organisations[0]);
        clock.advance(core::milliseconds(5));
        until = begin_to_poll_organisations();
        slow.query("SELECT 1 FROM organisations WHERE id = ? FOR UPDATE", {organisations[0]});
    });
    const auto time = until.get();
    BOOST_TEST((time == start + core::milliseconds(5)));
    BOOST_TEST(rows(of_first(), start, time) == 1u);
}

BOOST_AUTO_TEST_CASE(whoever_writes_later_has_a_later_time) {
    const auto until = lists::horizon(polling, "enquiries", organisations, clock);
    send(organisations[0]);
    // The same millisecond: the next poll begins with it.
    BOOST_TEST(rows(of_first(), until, clock.now()) == 1u);
}

// A poll that waited here would end with an error.
BOOST_AUTO_TEST_CASE(nobody_is_waited_for_in_vain) {
    BOOST_TEST((lists::horizon(polling, "enquiries", organisations, clock) == start));
    BOOST_TEST((lists::horizon(polling, "enquiries", {}, clock) == start));
    BOOST_TEST((lists::sender_horizon(polling, sender, {}, clock) == start));
    const auto before = lock_waits();
    writes::write(slow, [&](writes::WriteTransaction& late) {
        send(late, organisations[0]);
        BOOST_TEST((lists::horizon(polling, "enquiries", std::span(&organisations[1], 1), clock) == start));
        const std::array others{organisations[1], add_organisation("third")};
        BOOST_TEST((lists::horizon(polling, "enquiries", others, clock) == start));
        BOOST_TEST((lists::sender_horizon(polling, member, {}, clock) == start));
        BOOST_TEST((lists::sender_horizon(polling, member, organisations[0], clock) == start));
        BOOST_TEST(lock_waits() == before);
    });
}

BOOST_AUTO_TEST_CASE(organisations_that_a_sender_never_wrote_to_are_not_locked) {
    send(organisations[0]);
    db::Transaction transaction(slow);
    slow.query("SELECT 1 FROM organisations WHERE id = ? LOCK IN SHARE MODE", {organisations[1]});
    const auto before = lock_waits();
    BOOST_TEST((lists::sender_horizon(polling, sender, {}, clock) == start));
    BOOST_TEST((lists::sender_horizon(polling, sender, organisations[1], clock) == start));
    BOOST_TEST(lock_waits() == before);
}

BOOST_AUTO_TEST_CASE(a_writer_that_does_not_end_is_waited_for_once) {
    writes::write(slow, [&](writes::WriteTransaction& late) {
        send(late, organisations[0]);
        const auto before = lock_waits();
        // The poll's own limit ends the wait, and not the much longer one of the server.
        auto config = database.config();
        config.lock_wait = std::chrono::milliseconds(250);
        db::Connection hasty(config);
        hasty.execute("SET innodb_lock_wait_timeout = 60");
        const auto busy = [](const db::Error& error) { return error.is_timeout(); };
        BOOST_CHECK_EXCEPTION(lists::horizon(hasty, "enquiries", organisations, clock), db::Error, busy);
        BOOST_TEST(lock_waits() <= before + 1);
        BOOST_CHECK_EXCEPTION(lists::sender_horizon(hasty, sender, {}, clock), db::Error, busy);
        BOOST_TEST(lock_waits() <= before + 2);
    });
    BOOST_TEST((lists::horizon(polling, "enquiries", organisations, clock) == start));
}

BOOST_AUTO_TEST_SUITE_END()
