// The outbox: sending with a transaction, order by commit, leases, retries, and those who deliver it.
#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <mutex>
#include <thread>

#include "core/crypto.h"
#include "deliver/deliverer.h"
#include "outbox/queue.h"
#include "outbox/stored.h"
#include "support/database.h"
#include "support/threads.h"

using namespace tradepost;
using namespace std::chrono_literals;
using outbox::Outcome;

namespace {

core::Uuid random_id() {
    return core::Uuid::from_bytes(core::random_bytes(16));
}

// What the senders of the tests got, and what they answer. A kind's sender is a plain function.
struct Log {
    std::mutex mutex;
    std::vector<std::pair<std::string, std::string>> sent;  // target, payload
    std::map<std::string, int> given_up;
    std::map<std::string, std::string> running;  // payload by target: two at once would be a fault
    bool together = false;
    std::atomic<bool> end = false;  // of what is sent to "endless" targets
} log_;

Outcome answer(deliver::Sending& sending, const outbox::Delivery& delivery) {
    {
        const std::lock_guard lock(log_.mutex);
        if (!log_.running.emplace(delivery.target, delivery.payload).second) log_.together = true;
    }
    if (delivery.target.starts_with("slow "))
        while (!sending.stopped) std::this_thread::sleep_for(5ms);
    if (delivery.target.starts_with("endless "))
        while (!log_.end) std::this_thread::sleep_for(5ms);
    const std::lock_guard lock(log_.mutex);
    log_.running.erase(delivery.target);
    if (delivery.payload == "throws") throw std::runtime_error("no route");
    if (delivery.payload == "impossible") return Outcome::dead("no such address", 550);
    if (delivery.payload == "later") return Outcome::retry("busy", 503);
    log_.sent.emplace_back(delivery.target, delivery.payload);
    return Outcome::delivered("ok", 200);
}

void give_up(db::Connection&, const outbox::Delivery& delivery) {
    const std::lock_guard lock(log_.mutex);
    ++log_.given_up[delivery.target];
}

const deliver::Kind* find(std::string_view name) {
    static const deliver::Kind plain{.name = "plain", .send = answer, .given_up = give_up};
    static const deliver::Kind kept{.name = "kept", .send = answer, .keep = true};
    static const deliver::Kind hook{.name = "hook", .lane = "webhooks", .send = answer};
    static const deliver::Kind letter{.name = "letter", .lane = "letters", .send = answer};
    for (const auto* kind : {&plain, &kept, &hook, &letter})
        if (kind->name == name) return kind;
    return nullptr;
}

struct Fixture {
    test::MigratedDatabase database;
    db::Connection connection{database.config()}, other{database.config()};
    const core::Time now = std::chrono::floor<core::milliseconds>(std::chrono::system_clock::now());
    outbox::Queue queue{connection, random_id()};
    outbox::Queue rival{other, random_id()};

    Fixture() {
        log_.sent.clear();
        log_.given_up.clear();
        log_.running.clear();
        log_.together = false;
        log_.end = false;
    }
    core::Uuid send(db::Connection& own, const std::string& target, const std::string& payload,
                    std::optional<core::Uuid> organisation = {}, const std::string& kind = "plain") {
        return outbox::send(own, now, {.kind = kind, .target = target, .payload = payload, .organisation_id = organisation});
    }
    core::Uuid send(const std::string& target, const std::string& payload) { return send(connection, target, payload); }
    std::string state(const core::Uuid& id) {
        const auto found = outbox::list(connection, {.id = id}, 1);
        return found.empty() ? "gone" : found[0].state;
    }
    std::vector<std::string> take(outbox::Queue& own, std::size_t most = 100, std::size_t most_of_one = 100) {
        std::vector<std::string> taken;
        for (const auto& each : own.take(most, {}, {most_of_one})) taken.push_back(each.name);
        std::sort(taken.begin(), taken.end());
        return taken;
    }
    std::string next(outbox::Queue& own, const std::string& target) {
        const auto found = own.next(target);
        return found ? found->payload : "";
    }
    void make_due() { connection.execute("UPDATE outbox_targets SET next_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND"); }
    std::int64_t count(const std::string& from) { return connection.query("SELECT COUNT(*) FROM " + from).at(0).integer(0); }

    struct Running {
        const core::Config config;
        std::atomic<bool> stopped = false;
        deliver::Deliverer deliverer{config, stopped, find};
        test::Thread thread{[this] { deliverer.run(); }};
        explicit Running(core::Config its) : config(std::move(its)) {}
        ~Running() { stopped = true; }  // the thread's own destructor waits for it
    };
    core::Config config() {
        core::Config made;
        made.database = database.config();
        return made;
    }
    static std::size_t sent() {
        const std::lock_guard lock(log_.mutex);
        return log_.sent.size();
    }
    template <class Condition>
    static void await(Condition&& condition) {
        const auto end = std::chrono::steady_clock::now() + 30s;
        while (!condition()) {
            BOOST_TEST_REQUIRE((std::chrono::steady_clock::now() < end));
            std::this_thread::sleep_for(5ms);
        }
    }
};

using Names = std::vector<std::string>;

}  // namespace

BOOST_FIXTURE_TEST_SUITE(outbox_queue, Fixture)

BOOST_AUTO_TEST_CASE(a_message_exists_when_its_transaction_commits) {
    {
        db::Transaction transaction(connection);
        send("a", "1");
        BOOST_TEST(outbox::number(other) == 0u);
    }
    BOOST_TEST(outbox::number(other) == 0u);
    {
        db::Transaction transaction(connection);
        send("a", "2");
        transaction.commit();
    }
    BOOST_TEST(outbox::number(other) == 1u);
    BOOST_TEST(take(queue) == Names{"a"});
    BOOST_TEST(next(queue, "a") == "2");
}

BOOST_AUTO_TEST_CASE(the_order_is_that_of_commits) {
    db::Transaction late(connection);
    send("a", "early id, late commit");
    send(other, "a", "late id, early commit");
    BOOST_TEST(outbox::number(other) == 1u);
    late.commit();
    BOOST_TEST(outbox::number(other) == 1u);
    BOOST_TEST(take(queue) == Names{"a"});
    for (const auto* expected : {"late id, early commit", "early id, late commit"}) {
        const auto delivery = queue.next("a");
        BOOST_TEST_REQUIRE(delivery.has_value());
        BOOST_TEST(delivery->payload == expected);
        BOOST_TEST(queue.finish(*delivery, Outcome::delivered("ok"), false));
    }
}

BOOST_AUTO_TEST_CASE(a_target_is_sent_by_one_at_a_time) {
    send("a", "1");
    send("b", "1");
    outbox::number(connection);
    BOOST_TEST(take(queue) == (Names{"a", "b"}));
    BOOST_TEST(take(rival).empty());
    // More messages change nothing.
    send("a", "2");
    outbox::number(connection);
    BOOST_TEST(take(rival).empty());
    // Its holder is silent for too long: another one sends it, and what the first one says then counts for nothing.
    const auto delivery = queue.next("a");
    make_due();
    BOOST_TEST(take(rival) == (Names{"a", "b"}));
    BOOST_TEST(!queue.finish(*delivery, Outcome::delivered("ok"), false));
    queue.release("a");
    BOOST_TEST(next(rival, "a") == "1");
    BOOST_TEST(rival.finish(*rival.next("a"), Outcome::delivered("ok"), false));
    rival.release("a");
    BOOST_TEST(take(queue) == Names{"a"});
    BOOST_TEST(next(queue, "a") == "2");
}

BOOST_AUTO_TEST_CASE(a_renewed_lease_is_kept) {
    send("a", "1");
    outbox::number(connection);
    const auto held = queue.take(1, {}, {1});
    make_due();
    queue.renew(held);
    BOOST_TEST(take(rival).empty());
    rival.renew(held);
    BOOST_TEST(queue.finish(*queue.next("a"), Outcome::delivered("ok"), false));
}

BOOST_AUTO_TEST_CASE(a_target_without_messages_has_no_row) {
    send("a", "1");
    outbox::number(connection);
    BOOST_TEST(take(queue) == Names{"a"});
    queue.finish(*queue.next("a"), Outcome::delivered("ok"), false);
    queue.release("a");
    BOOST_TEST(count("outbox_targets") == 0);
    BOOST_TEST(count("outbox_messages") == 0);
}

BOOST_AUTO_TEST_CASE(a_failure_holds_up_its_target_only) {
    const auto first = send("a", "1");
    send("a", "2");
    send("b", "1");
    outbox::number(connection);
    BOOST_TEST(take(queue) == (Names{"a", "b"}));
    BOOST_TEST(queue.finish(*queue.next("a"), Outcome::retry("busy", 503), false));
    BOOST_TEST(next(queue, "b") == "1");
    const auto stored = outbox::list(connection, {.id = first}, 1).at(0);
    BOOST_TEST(stored.state == "waiting");
    BOOST_TEST(stored.attempts == 1u);
    BOOST_TEST(*stored.status == 503);
    BOOST_TEST(*stored.result == "busy");
    BOOST_TEST(take(rival).empty());
    make_due();
    BOOST_TEST(take(rival) == (Names{"a", "b"}));
    BOOST_TEST(next(rival, "a") == "1");
}

BOOST_AUTO_TEST_CASE(a_message_is_dead_after_three_days) {
    const auto id = send("a", "1");
    send("a", "2");
    outbox::number(connection);
    BOOST_TEST(take(queue) == Names{"a"});
    int given_up = 0;
    const auto fail = [&] { return queue.finish(*queue.next("a"), Outcome::retry("busy"), false, [&] { ++given_up; }); };
    connection.execute("UPDATE outbox_messages SET not_before = UTC_TIMESTAMP(3) - INTERVAL 71 HOUR");
    BOOST_TEST(fail());
    BOOST_TEST(state(id) == "waiting");
    make_due();
    BOOST_TEST(take(queue) == Names{"a"});
    connection.execute("UPDATE outbox_messages SET not_before = UTC_TIMESTAMP(3) - INTERVAL 72 HOUR");
    BOOST_TEST(fail());
    BOOST_TEST(state(id) == "dead");
    BOOST_TEST(given_up == 1);
    BOOST_TEST(next(queue, "a") == "2");
    // An operator has it sent again, behind the others.
    BOOST_TEST(outbox::retry(connection, {.id = id}) == 1u);
    BOOST_TEST(outbox::number(connection) == 1u);
    BOOST_TEST(queue.finish(*queue.next("a"), Outcome::delivered("ok"), true));
    const auto again = queue.next("a");
    BOOST_TEST_REQUIRE(again.has_value());
    BOOST_TEST((again->id == id));
    BOOST_TEST(again->attempts == 0u);
    BOOST_TEST(again->age.count() < 60);
}

BOOST_AUTO_TEST_CASE(a_message_that_is_queued_anew_while_it_is_sent_is_numbered_once) {
    for (const auto& outcome : {Outcome::delivered("ok"), Outcome::dead("no such address")}) {
        const auto id = send("a", "1");
        outbox::number(connection);
        BOOST_TEST(take(queue) == Names{"a"});
        const auto delivery = queue.next("a");
        BOOST_TEST(outbox::retry(other, {.id = id}) == 1u);
        BOOST_TEST(queue.finish(*delivery, outcome, true));
        queue.release("a");
        BOOST_TEST(outbox::number(connection) == 1u);
        BOOST_TEST(outbox::number(connection) == 0u);
        BOOST_TEST(count("outbox_messages WHERE position IS NULL") == 0);
        BOOST_TEST(next(queue, "a") == "");
        // Its target is taken once more, and nothing is found.
        BOOST_TEST(take(queue) == Names{"a"});
        queue.release("a");
        BOOST_TEST(count("outbox_targets") == 0);
        BOOST_TEST(outbox::backlog(connection).lag.count() == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_message_waits_for_its_time) {
    outbox::send(connection, now, {.kind = "plain", .target = "a", .payload = "1", .not_before = now + 1h});
    send("a", "2");
    BOOST_TEST(outbox::number(connection) == 1u);
    BOOST_TEST(take(queue) == Names{"a"});
    BOOST_TEST(next(queue, "a") == "2");
    BOOST_TEST(outbox::backlog(connection).waiting == 2);
    BOOST_TEST(outbox::backlog(connection).lag.count() < 60'000);
}

BOOST_AUTO_TEST_CASE(an_organisation_leaves_room_for_others) {
    const auto large = random_id(), small = random_id();
    for (int i = 0; i < 20; ++i) send(connection, "large " + std::to_string(i), "1", large);
    send(connection, "small", "1", small);
    outbox::number(connection);
    connection.execute("UPDATE outbox_targets SET next_at = next_at + INTERVAL 1 SECOND WHERE target = 'small'");
    connection.execute("UPDATE outbox_targets SET next_at = next_at - INTERVAL 1 HOUR");
    const auto taken = queue.take(8, {}, {3});
    BOOST_TEST(taken.size() == 4u);
    BOOST_TEST(taken.back().name == "small");
    BOOST_TEST(queue.take(8, taken, {3}).empty());
}

BOOST_AUTO_TEST_CASE(the_back_off_doubles_up_to_an_hour) {
    for (const auto& [attempt, seconds] : {std::pair(1u, 1), {2u, 2}, {5u, 16}, {12u, 2048}, {13u, 3600}, {1000u, 3600}})
        for (int i = 0; i < 20; ++i) {
            const auto wait = outbox::back_off(attempt);
            BOOST_TEST(wait >= std::chrono::milliseconds(seconds * 800));
            BOOST_TEST(wait <= std::chrono::milliseconds(seconds * 1200));
        }
}

BOOST_AUTO_TEST_CASE(old_messages_are_pruned) {
    for (const auto& [days, state] :
         {std::pair(6, "delivered"), {8, "delivered"}, {89, "dead"}, {91, "dead"}, {100, "waiting"}}) {
        const auto id = send("a", std::to_string(days));
        connection.execute("UPDATE outbox_messages SET state = ?, not_before = UTC_TIMESTAMP(3) - INTERVAL ? DAY WHERE id = ?",
                           {state, days, id});
    }
    BOOST_TEST(outbox::prune(connection) == 2u);
    BOOST_TEST(count("outbox_messages WHERE payload IN ('6', '89', '100')") == 3);
}

BOOST_AUTO_TEST_CASE(two_deliverers_send_everything_once_and_in_order) {
    constexpr int targets = 8, each = 40;
    const Running one(config()), two(config());
    std::vector<test::Thread> writers;
    for (int target = 0; target < targets; ++target)
        writers.emplace_back([this, target] {
            db::Connection own(database.config());
            for (int i = 0; i < each; ++i) {
                db::Transaction transaction(own);
                send(own, "t" + std::to_string(target), std::to_string(i));
                transaction.commit();
            }
        });
    for (auto& writer : writers) writer.join();
    await([&] { return sent() == targets * each; });
    std::map<std::string, int> expected;
    for (const auto& [target, payload] : log_.sent) BOOST_TEST(payload == std::to_string(expected[target]++));
    BOOST_TEST(!log_.together);
    await([&] { return count("outbox_targets") == 0; });
}

BOOST_AUTO_TEST_CASE(a_slow_target_delays_no_other) {
    for (const auto* target : {"slow 1", "slow 2"}) send(connection, target, "1", {}, "hook");
    const Running one(config());
    await([&] {
        const std::lock_guard lock(log_.mutex);
        return log_.running.size() == 2;
    });
    for (int i = 0; i < 50; ++i) send(connection, "quick", std::to_string(i), {}, "hook");
    await([&] { return sent() == 50; });
}

BOOST_AUTO_TEST_CASE(stuck_receivers_hold_up_no_letter_and_no_other_organisation) {
    const auto others = random_id();
    for (int organisation = 0; organisation < 3; ++organisation) {
        const auto slow = random_id();
        for (int i = 0; i < 10; ++i)
            send(connection, "endless " + std::to_string(organisation) + std::to_string(i), "1", slow, "hook");
    }
    const Running one(config());
    const std::shared_ptr<void> at_the_end(nullptr, [](void*) { log_.end = true; });
    // As many as the three may have at the same time.
    await([&] {
        const std::lock_guard lock(log_.mutex);
        return log_.running.size() == 9;
    });
    send(connection, "letter", "1", {}, "letter");
    send(connection, "hook", "1", others, "hook");
    await([&] { return sent() == 2; });
    log_.end = true;
    await([&] { return sent() == 32; });
}

BOOST_AUTO_TEST_CASE(a_lease_is_renewed_after_the_stop_until_the_attempt_has_ended) {
    send("endless 1", "1");
    {
        Running one(config());
        const std::shared_ptr<void> at_the_end(nullptr, [](void*) { log_.end = true; });
        await([&] {
            const std::lock_guard lock(log_.mutex);
            return log_.running.contains("endless 1");
        });
        one.stopped = true;
        make_due();
        await([&] { return count("outbox_targets WHERE next_at > UTC_TIMESTAMP(3)") == 1; });
        BOOST_TEST(take(rival).empty());
    }
    BOOST_TEST(sent() == 1u);
    BOOST_TEST(count("outbox_messages") == 0);
    BOOST_TEST(count("outbox_targets") == 0);
}

BOOST_AUTO_TEST_CASE(what_a_sender_says_is_recorded) {
    const auto dead = send("a", "impossible"), thrown = send("b", "throws"), later = send("c", "later");
    const auto kept = send(connection, "d", "1", {}, "kept"), foreign = send(connection, "e", "1", {}, "of the next release");
    const Running one(config());
    await([&] { return count("outbox_messages WHERE attempts > 0") == 5; });
    BOOST_TEST(state(dead) == "dead");
    BOOST_TEST(state(thrown) == "waiting");
    BOOST_TEST(state(later) == "waiting");
    BOOST_TEST(state(kept) == "delivered");
    BOOST_TEST(state(foreign) == "waiting");
    BOOST_TEST(log_.given_up["a"] == 1);
    BOOST_TEST(log_.given_up.size() == 1u);
    BOOST_TEST(*outbox::list(connection, {.id = thrown}, 1)[0].result == "no route");
}

BOOST_AUTO_TEST_CASE(a_lost_connection_loses_nothing) {
    const Running one(config());
    send("a", "1");
    await([&] { return sent() == 1; });
    for (const auto& row : connection.query(
             "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id NOT IN (CONNECTION_ID(), ?)",
             {test::session_of(other)}))
        database.kill(row.unsigned_integer(0));
    send("a", "2");
    await([&] { return sent() == 2; });
}

BOOST_AUTO_TEST_SUITE_END()
