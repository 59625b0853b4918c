// Thousands of writes by many at once, which commit in another order than that of their times, and polls among them.
#define BOOST_TEST_DYN_LINK
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <deque>
#include <future>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "lists/horizon.h"
#include "repo/enquiry_support.h"
#include "resources/enquiries/rows.h"
#include "writes/ownership.h"

using namespace tradepost;

namespace {

constexpr int writers = 4, writes = 400;

struct Fixture : test::Enquirers {
    core::SystemClock clock;
    std::mutex mutex;
    std::vector<core::Uuid> ids;  // of what is committed

    void wait_a_little(std::mt19937& random) {
        for (auto turns = random() % 4 == 0 ? random() % 40 : 0; turns > 0; --turns) std::this_thread::yield();
    }

    core::Uuid insert(writes::WriteTransaction& transaction, const core::Uuid& organisation, std::mt19937& random) {
        enquiries::EnquiryWriter writer(transaction);
        if (!writer.find_target(sender, enquiries::EnquiryTarget::organisation, organisation))
            throw std::logic_error("no target");
        const auto made = enquiry(organisation, sender, clock.now());
        wait_a_little(random);
        writer.insert(made);
        wait_a_little(random);
        return made.id;
    }

    void change(writes::WriteTransaction& transaction, const core::Uuid& id, std::mt19937& random) {
        if (!writes::Ownership(transaction.connection()).of_row(member, "enquiries", id)) throw std::logic_error("no owner");
        enquiries::EnquiryWriter writer(transaction);
        auto changed = writer.find(id).value().enquiry;
        changed.note = std::to_string(random());
        changed.updated_at = std::max(clock.now(), changed.updated_at + core::milliseconds(1));
        wait_a_little(random);
        writer.update(changed, changed);
        wait_a_little(random);
    }

    void write(unsigned seed) {
        std::mt19937 random(seed);
        db::Connection with(database.config());
        for (int n = 0; n < writes; ++n) {
            std::optional<core::Uuid> id;
            if (random() % 3 == 0) {
                const std::lock_guard lock(mutex);
                if (!ids.empty()) id = ids[random() % ids.size()];
            }
            if (id) {
                writes::write(with, [&](writes::WriteTransaction& transaction) { change(transaction, *id, random); });
            } else {
                id = writes::write(with, [&](writes::WriteTransaction& transaction) {
                    return insert(transaction, organisations[random() % 2], random);
                });
                const std::lock_guard lock(mutex);
                ids.push_back(*id);
            }
        }
    }
};

// One that polls again and again, either from the header of the last answer or from the last updatedAt that it saw.
struct Poller {
    Fixture& fixture;
    bool as_sender, by_header;
    std::map<core::Uuid, core::Time> seen{};
    core::Time since = fixture.start;
    db::Connection connection{fixture.database.config()};
    int polls = 0;

    core::Time horizon(const lists::Selection& asked) {
        return as_sender ? lists::sender_horizon(connection, fixture.sender, {}, fixture.clock)
                         : lists::horizon(connection, "enquiries", asked.owners, fixture.clock);
    }

    void poll() {
        auto asked = as_sender ? fixture.sent() : fixture.received();
        asked.updated_since = since;
        try {
            asked.updated_until = horizon(asked);
        } catch (const db::Error& error) {
            if (!error.is_retryable() && !error.is_timeout()) throw;
            return;  // a busy machine: a client would try again
        }
        for (auto& row : test::read(connection, asked, {0, 1'000'000}, fixture.clock.now()).rows) {
            const auto enquiry = enquiries::read(row);
            seen[enquiry.id] = enquiry.updated_at;
            if (!by_header) since = std::max(since, enquiry.updated_at);
        }
        if (by_header) since = *asked.updated_until;
        ++polls;
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(polling_races, Fixture)

BOOST_AUTO_TEST_CASE(no_poller_misses_a_row) {
    std::deque<Poller> pollers;
    for (const bool as_sender : {false, true})
        for (const bool by_header : {false, true}) pollers.emplace_back(*this, as_sender, by_header);
    std::atomic<int> writing = writers;
    std::vector<std::future<void>> threads;
    for (unsigned i = 0; i < writers; ++i)
        threads.push_back(std::async(std::launch::async, [this, i, &writing] {
            const std::shared_ptr<void> end(nullptr, [&](void*) { --writing; });
            write(i);
        }));
    for (auto& poller : pollers)
        threads.push_back(std::async(std::launch::async, [&] {
            while (writing > 0) poller.poll();
        }));
    for (auto& thread : threads) thread.get();

    const auto rows = connection.query("SELECT id, updated_at FROM enquiries");
    BOOST_TEST(rows.size() > 1000u);
    for (auto& poller : pollers) {
        BOOST_TEST(poller.polls > 10);
        poller.poll();
        std::size_t missed = 0;
        for (const auto& row : rows) {
            const auto seen = poller.seen.find(row.uuid(0));
            missed += seen == poller.seen.end() || seen->second != row.time(1);
        }
        BOOST_TEST(missed == 0u, missed << " of " << rows.size() << " rows missed in " << poller.polls << " polls"
                                        << (poller.as_sender ? " of the sender" : "")
                                        << (poller.by_header ? " by header" : " by updatedAt"));
    }
}

BOOST_AUTO_TEST_SUITE_END()
